export {
  PICTURE_EXTENSIONS,
  PICTURE_NAME,
  pictureFormat,
  pictureKind,
  START_BYTES,
  type PictureKind,
} from './picture-kind';
