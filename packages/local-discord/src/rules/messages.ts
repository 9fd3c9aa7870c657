import {
  AllowedMentionsTypes,
  type APIAllowedMentions,
  type APIEmbed,
  type APIMessageTopLevelComponent,
  ComponentType,
  MessageFlags,
  RESTJSONErrorCodes,
} from 'discord-api-types/v10';
import { checkComponents, filesOf, loosely, walk } from './components.ts';
import { apiError } from './errors.ts';
import { createFormErrors, type FormErrors, type Path } from './form-errors.ts';
import { checkScheme, WEB } from './schemes.ts';

/** Source: 'Message', Create Message and embed limits. */
export const MAX_CONTENT = 2000;
const MAX_EMBED_TEXT = 6000;

/** What a message would be, after a request to create or edit it. */
interface MessageFields {
  content: string;
  embeds: APIEmbed[];
  components: APIMessageTopLevelComponent[];
  flags: number;
  attachmentNames: string[];
  /** Whether this request gave them: what was accepted before is not asked again for its files. */
  newEmbeds: boolean;
  newComponents: boolean;
  /** Ids of the custom emojis that there are. */
  emojis: ReadonlySet<string>;
  allowedMentions: APIAllowedMentions | undefined;
}

/**
 * Throws 50035 for what is wrong, 50006 when there is nothing in it. `at` is where the message stands in the body.
 */
export function checkMessage(fields: MessageFields, at: Path): void {
  const errors = createFormErrors(at);
  if (fields.content.length > MAX_CONTENT) {
    errors.add(['content'], 'BASE_TYPE_MAX_LENGTH', `Must be ${MAX_CONTENT} or fewer in length.`);
  }
  checkEmbeds(errors, fields);
  checkComponents(errors, fields.components, fields.flags, fields.emojis);
  checkShownFiles(errors, fields);
  checkAllowedMentions(errors, fields.allowedMentions);
  const modern = (fields.flags & MessageFlags.IsComponentsV2) !== 0;
  if (modern && (fields.content !== '' || fields.embeds.length > 0)) {
    const field = fields.content !== '' ? 'content' : 'embeds';
    errors.add(
      [field],
      'MESSAGE_CANNOT_USE_LEGACY_FIELDS_WITH_COMPONENTS_V2',
      `The '${field}' field cannot be used when using MessageFlags.IS_COMPONENTS_V2`,
    );
  }
  errors.throwIfAny();
  const empty =
    fields.content.trim() === '' &&
    fields.embeds.length === 0 &&
    fields.components.length === 0 &&
    fields.attachmentNames.length === 0;
  if (empty) throw apiError(RESTJSONErrorCodes.CannotSendAnEmptyMessage);
}

function checkEmbeds(errors: FormErrors, { embeds, attachmentNames, newEmbeds }: MessageFields): void {
  const size = embeds.reduce((sum, embed) => sum + embedSize(embed), 0);
  if (size > MAX_EMBED_TEXT) {
    errors.add(['embeds'], 'MAX_EMBED_SIZE_EXCEEDED', `Embed size exceeds maximum size of ${MAX_EMBED_TEXT}`);
  }
  if (!newEmbeds) return;
  for (const [index, embed] of embeds.entries()) {
    if (isEmpty(embed)) errors.add(['embeds', index, 'description'], 'BASE_TYPE_REQUIRED');
    checkTexts(errors, embed, ['embeds', index]);
    const links = [
      { url: embed.url, at: ['url'] },
      { url: embed.author?.url, at: ['author', 'url'] },
    ];
    for (const { url, at } of links) checkScheme(errors, url, ['embeds', index, ...at], WEB);
    for (const { url, at } of picturesOf(embed)) {
      const name = attachmentName(url);
      const path = ['embeds', index, ...at];
      checkScheme(errors, url, path, [...WEB, 'attachment']);
      if (name === undefined) continue;
      if (!attachmentNames.includes(name)) addMissingFile(errors, path, name);
      else if (!/\.(png|jpe?g|webp|gif)$/i.test(name)) {
        errors.add(path, 'URL_TYPE_INVALID_EXTENSION');
      }
    }
  }
}

/** The pictures that an embed may show, each with the place of its address. */
export const picturesOf = ({ author, footer, image, thumbnail }: APIEmbed) => [
  { url: author?.icon_url, at: ['author', 'icon_url'] },
  { url: footer?.icon_url, at: ['footer', 'icon_url'] },
  { url: image?.url, at: ['image', 'url'] },
  { url: thumbnail?.url, at: ['thumbnail', 'url'] },
];

const addMissingFile = (errors: FormErrors, path: Path, name: string): void =>
  errors.add(
    path,
    'UNFURLED_MEDIA_ITEM_REFERENCED_ATTACHMENT_NOT_FOUND',
    `The referenced attachment was not found: ${name}`,
  );

/** Files that components show are uploaded with them, or there already. */
function checkShownFiles(
  errors: FormErrors,
  { components, attachmentNames, newComponents }: MessageFields,
): void {
  if (!newComponents) return;
  for (const { component, path } of walk(loosely(components), ['components'])) {
    for (const { url, at } of filesOf(component, path)) {
      // Source: 'Component Reference': a file is one that is attached, a picture may stand elsewhere.
      const elsewhere = component.type === ComponentType.File ? [] : WEB;
      checkScheme(errors, url, at, [...elsewhere, 'attachment']);
      const name = attachmentName(url);
      if (name !== undefined && !attachmentNames.includes(name)) addMissingFile(errors, at, name);
    }
  }
}

/** What an embed has to say is not empty. Source: 'Message', embed structures and limits. */
function checkTexts(errors: FormErrors, { fields, author, footer }: APIEmbed, at: Path): void {
  const texts: [Path, string | undefined][] = [
    ...(fields ?? []).flatMap(({ name, value }, n): [Path, string][] => [
      [['fields', n, 'name'], name],
      [['fields', n, 'value'], value],
    ]),
    [['author', 'name'], author?.name],
    [['footer', 'text'], footer?.text],
  ];
  for (const [path, text] of texts) {
    if (text?.trim() === '') errors.add([...at, ...path], 'BASE_TYPE_REQUIRED');
  }
}

/** An embed shows something: blanks, or a colour, an address or a time alone, are nothing. */
function isEmpty({ title, description, fields, author, footer, image, thumbnail }: APIEmbed): boolean {
  const shown = [title?.trim(), description?.trim(), fields?.length, author, footer, image, thumbnail];
  return !shown.some(Boolean);
}

/** The file that `attachment://name` means. */
export function attachmentName(url: string | undefined): string | undefined {
  return url?.startsWith('attachment://') ? url.slice('attachment://'.length) : undefined;
}

function embedSize(embed: APIEmbed): number {
  const texts = [embed.title, embed.description, embed.footer?.text, embed.author?.name];
  const fields = (embed.fields ?? []).flatMap(({ name, value }) => [name, value]);
  return [...texts, ...fields].reduce((sum, text) => sum + (text?.length ?? 0), 0);
}

/** Source: 'Message', allowed mentions: a kind is either parsed or listed. */
function checkAllowedMentions(errors: FormErrors, allowed: APIAllowedMentions | undefined): void {
  const kinds = [
    ['users', AllowedMentionsTypes.User],
    ['roles', AllowedMentionsTypes.Role],
  ] as const;
  for (const [list, kind] of kinds) {
    if (allowed?.parse?.includes(kind) && allowed[list]?.length) {
      errors.add(
        ['allowed_mentions'],
        'MESSAGE_ALLOWED_MENTIONS_PARSE_EXCLUSIVE',
        `parse:["${kind}"] and ${list}: [ids...] are mutually exclusive.`,
      );
    }
  }
}
