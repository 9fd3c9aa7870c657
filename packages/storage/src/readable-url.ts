/** Whether the URL of a database can be read: a password of PostgreSQL may have characters that end it too soon. */
export const isReadableUrl = (url: string): boolean =>
  // Without a host, which another parameter names, it is one for `pg` alone.
  !/^postgres/.test(url) || URL.canParse(url.replace('@/', '@host/'));

export const UNREADABLE_URL =
  'not an address; in its password write %23 for #, %2F for /, %3F for ?, %40 for @ and %25 for %';
