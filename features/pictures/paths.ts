import { destroy, get, put } from '../paths.ts'

export const picturesPaths = {
  changePicture: () => put('/settings/picture'),
  removePicture: () => destroy('/settings/picture'),
  picture: (key: string) => get(`/pictures/${key}.webp`),
  changeAccountPicture: (slug: string) => put(`/${slug}/picture`),
  removeAccountPicture: (slug: string) => destroy(`/${slug}/picture`),
}
