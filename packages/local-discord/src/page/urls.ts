/** The local Discord draws an avatar for every user, whatever the name of the file. */
export function avatarUrl({ id, avatar }: { id: string; avatar?: string | null }): string {
  return `/avatars/${id}/${avatar ?? 'avatar'}.svg`;
}

/** URLs of the local Discord's files, on whichever loopback name the page was opened; others stay as they are. */
export function localUrl(url: string): string {
  const { hostname, port, pathname, search } = new URL(url, location.href);
  const isLocal = port === location.port && ['127.0.0.1', 'localhost', '[::1]'].includes(hostname);
  return isLocal ? pathname + search : url;
}
