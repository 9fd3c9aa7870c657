import { type APIMessageTopLevelComponent, ComponentType } from 'discord-api-types/v10';
import type { Links } from '../cdn/links.ts';
import { type AnyComponent, boundsOf, isSelect, loosely, numbering } from '../rules/components.ts';
import { attachmentName } from '../rules/messages.ts';
import type { Attachment } from '../state/state.ts';

type Loose = Record<string, unknown>;

/** The file that this address means, among those of the message. */
const attachmentAt = (url: string | undefined, attachments: readonly Attachment[]): Attachment | undefined =>
  attachments.find(({ filename }) => filename === attachmentName(url));

function withBounds(component: AnyComponent): Pick<AnyComponent, 'min_values' | 'max_values'> {
  const { min, max } = boundsOf(component);
  return { min_values: min, max_values: max };
}

/** What stands at this address: a file of the message by a link that works now, or something elsewhere. */
export function serializeMedia(url: string, attachments: readonly Attachment[], links: Links) {
  const attachment = attachmentAt(url, attachments);
  const link = attachment ? links.attachment(attachment) : url;
  return {
    url: link,
    proxy_url: link,
    ...(attachment && { content_type: attachment.contentType }),
    ...(typeof attachment?.width === 'number' && { width: attachment.width }),
    ...(typeof attachment?.height === 'number' && { height: attachment.height }),
  };
}

/** Every component as Discord gives it back: numbered from 1 where the bot gave no id, defaults filled in. */
export function numberComponents(
  components: readonly APIMessageTopLevelComponent[],
): APIMessageTopLevelComponent[] {
  const idOf = numbering(loosely(components));
  const number = (component: AnyComponent): AnyComponent => ({
    ...component,
    id: idOf(component),
    ...(component.components && { components: component.components.map(number) }),
    ...(component.accessory && { accessory: number(component.accessory) }),
    ...(isSelect(component) && withBounds(component)),
  });
  // Numbering keeps the kinds of components as they are.
  return loosely(components).map(number) as APIMessageTopLevelComponent[];
}

/** The stored components with links to media that work now, and without the `null`s that a request may carry. */
export function serializeComponents(
  components: readonly APIMessageTopLevelComponent[],
  attachments: readonly Attachment[],
  links: Links,
): APIMessageTopLevelComponent[] {
  const media = (item: unknown): Loose | undefined => {
    const url: unknown = Reflect.get(Object(item), 'url');
    if (typeof url !== 'string') return undefined;
    const id = attachmentAt(url, attachments)?.id;
    return { id: id ?? '0', ...(id && { attachment_id: id }), ...serializeMedia(url, attachments, links) };
  };
  const wire = (component: Loose): Loose => {
    const made: Loose = {};
    for (const [key, value] of Object.entries(component)) {
      if (value === null) continue;
      if (key === 'components' || key === 'items') made[key] = (value as Loose[]).map(wire);
      else if (key === 'accessory') made[key] = wire(value as Loose);
      else if (key === 'media' || key === 'file') made[key] = media(value) ?? value;
      else made[key] = value;
    }
    return { ...defaults(component, attachments), ...made };
  };
  // The schema has checked what kinds of components these are; only media and defaults change.
  return components.map((component) => wire({ ...component }) as unknown as APIMessageTopLevelComponent);
}

/** What Discord always says of a component, also where the bot said nothing. Source: 'Component Reference'. */
function defaults(component: Loose, attachments: readonly Attachment[]): Loose {
  switch (component.type) {
    case ComponentType.Container:
      return { accent_color: null, spoiler: false };
    case ComponentType.Separator:
      return { spacing: 1, divider: true };
    case ComponentType.Thumbnail:
    case undefined:
      return { description: null, spoiler: false };
    case ComponentType.File: {
      // As above: the schema wants an address here.
      const attachment = attachmentAt((component.file as { url: string }).url, attachments);
      return { name: attachment?.filename ?? null, size: attachment?.size ?? null, spoiler: false };
    }
    default:
      return {};
  }
}
