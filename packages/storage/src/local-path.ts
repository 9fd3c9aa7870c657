/**
 * The path that stands behind `sqlite://` or `file://`. On Windows a URL has a slash before the drive
 * (`file:///D:/pictures`), with which it would be a folder of that name on another one.
 */
export const localPath = (path: string): string =>
  process.platform === 'win32' ? path.replace(/^\/(?=[a-z]:)/i, '') : path;
