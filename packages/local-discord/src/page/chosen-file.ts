import type { UploadInput } from '../page-server/protocol.ts';

/** A file that the user has chosen and not sent yet. */
export interface ChosenFile {
  /** As the server takes it: in base64. */
  upload: UploadInput;
  /** In bytes. */
  size: number;
  /** Address of the picture that it is; `null` for any other file. */
  picture: string | null;
}
