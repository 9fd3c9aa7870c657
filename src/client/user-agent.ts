/** The version in `package.json`; a test keeps the two equal. */
const VERSION = '0.1.0';

/** `darkroom/<version> (node/<version>)` */
export const USER_AGENT = `darkroom/${VERSION} (node/${process.versions.node})`;
