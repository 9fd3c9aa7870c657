import { MessageFlags } from 'discord-api-types/v10';

/** Code is not looked at, whether it is closed or, in a block, not; a backtick that is escaped begins none. */
const CODE = /(\\[\\`])|(`{3,})[\s\S]*?(?:\2|$)|(`{1,2})[^`]+\3(?!`)/g;
const WITHOUT_PREVIEW = /<https?:\/\/[^\s<>]+>/gi;
const LINK = /(?<![\w\\])https?:\/\/[^\s<>"]+/gi;

/** Discord's own addresses; its client takes them with or without a scheme, and within `<>` as well. */
const OWN =
  /(?<![\w.\\-])(?:https?:)?(?:\/\/)?(?:[a-z0-9-]+\.)*discord(?:app)?\.(com|gg|new|gift)\/[^\s<>()[\]"]+/gi;
/** A place in a server becomes a mention of it; the files of Discord are shown as any other link. */
const SHOWN_OTHERWISE = /\.com\/(channels|attachments|ephemeral-attachments)\//i;

/**
 * What Discord would show below a message for its text: previews of links, and cards for invitations, templates and
 * the like, which `SUPPRESS_EMBEDS` does not keep away. Links in embeds are shown as links only. Source: Discord's
 * client.
 */
export function unfurls({ content, flags = 0 }: { content: string; flags?: number | undefined }): string[] {
  const text = content.replace(CODE, (_, escaped?: string) => escaped ?? ' ');
  const own = [...text.matchAll(OWN)].map(([found]) => found).filter((found) => !SHOWN_OTHERWISE.test(found));
  if ((flags & MessageFlags.SuppressEmbeds) !== 0) return own;
  const links = [...text.replace(WITHOUT_PREVIEW, ' ').matchAll(LINK)]
    .map(([found]) => found)
    .filter((found) => !/discord(app)?\.com\/channels\//i.test(found) && !own.includes(found));
  return [...own, ...links];
}
