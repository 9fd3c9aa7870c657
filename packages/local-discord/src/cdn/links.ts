import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { type Clock, DAY_MS } from '@darkroom/time';
import type { Attachment, Guild } from '../state/state.ts';

/** How long a link to an attachment lives; Discord signs a new one whenever the message is read. */
export const LINK_LIFE_MS = DAY_MS;

/** Addresses of files, in the form of Discord's CDN. Source: 'Reference', signed attachment CDN URLs. */
export function createLinks({
  clock,
  secret,
  base,
}: {
  clock: Clock;
  secret: string;
  /** Without a slash at the end; known once the server listens. */
  base: () => string;
}) {
  const sign = (path: string, ex: string, is: string) =>
    createHmac('sha256', secret).update(`${path}?${ex}&${is}`).digest('hex');

  return {
    attachment({ id, channelId, filename, ephemeral }: Attachment): string {
      const folder = ephemeral ? 'ephemeral-attachments' : 'attachments';
      const path = `/${folder}/${channelId}/${id}/${filename}`;
      const is = Math.floor(clock.now() / 1000).toString(16);
      const ex = Math.floor((clock.now() + LINK_LIFE_MS) / 1000).toString(16);
      return `${base()}${path}?ex=${ex}&is=${is}&hm=${sign(path, ex, is)}&`;
    },
    /** What opens a webhook of a channel, in the form and length of Discord's. */
    webhookToken: (id: string): string =>
      createHmac('sha512', secret).update(`webhook ${id}`).digest('base64url').slice(0, 68),
    /** Whether a link is one of ours, unchanged, and not expired. */
    valid(path: string, { ex = '', is = '', hm = '' }: Record<string, string | undefined>): boolean {
      const wanted = Buffer.from(sign(path, ex, is));
      const given = Buffer.from(hm);
      if (wanted.length !== given.length || !timingSafeEqual(wanted, given)) return false;
      return Number.parseInt(ex, 16) * 1000 > clock.now();
    },
    icon: ({ id }: Pick<Guild, 'id'>): string => `${base()}/icons/${id}/${pictureHash(id)}.svg`,
  };
}

export type Links = ReturnType<typeof createLinks>;

/** Stands for a picture in `avatar` and `icon` fields. */
export function pictureHash(id: string): string {
  return createHash('md5').update(id).digest('hex');
}
