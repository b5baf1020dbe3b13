import { t } from '../words/t.ts'

const photosOfPhones = /\.(heic|heif)$/i

/** The picture in a file, upright, or what to tell the person if this browser cannot show it. */
export const openPicture = (file: File) =>
  createImageBitmap(file).catch(() =>
    /hei[cf]/.test(file.type) || photosOfPhones.test(file.name)
      ? t("This browser can't read HEIC photos. Choose a JPEG instead: phones convert the photos they send by email.")
      : t('This is not a picture we can read. Choose a JPEG, PNG, WebP, GIF or AVIF.'),
  )
