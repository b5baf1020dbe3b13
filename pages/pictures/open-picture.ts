import { t } from '../words/t.ts'
/** A file that this browser cannot show. `message` is for people. */
export class Unshowable extends Error {}

const photosOfPhones = /\.(heic|heif)$/i

/** The picture in a file, upright. Throws Unshowable. */
export async function openPicture(file: File) {
  try {
    return await createImageBitmap(file)
  } catch {
    throw new Unshowable(
      /hei[cf]/.test(file.type) || photosOfPhones.test(file.name)
        ? t("This browser can't read HEIC photos. Choose a JPEG instead: phones convert the photos they send by email.")
        : t('This is not a picture we can read. Choose a JPEG, PNG, WebP, GIF or AVIF.'),
    )
  }
}

/** The first file that was dropped or pasted and may be a picture. */
export const pictureIn = (data: DataTransfer | null) =>
  Array.from(data?.files ?? []).find(({ type, name }) => type.startsWith('image/') || photosOfPhones.test(name))
