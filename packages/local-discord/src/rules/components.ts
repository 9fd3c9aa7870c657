import {
  type APIMessageTopLevelComponent,
  ButtonStyle,
  type ChannelType,
  ComponentType,
  MessageFlags,
} from 'discord-api-types/v10';
import { isEmoji } from './emojis.ts';
import { checkFileTypes } from './file-types.ts';
import type { FormErrors, Path } from './form-errors.ts';
import { checkScheme, WEB } from './schemes.ts';

/** Source: 'Component Reference', and 'Component Overview' for the two kinds of message. */
const MAX_ROWS = 5;
const MAX_COMPONENTS = 40;
const MAX_TEXT = 4000;

/** A component of any kind, as far as these rules look at it. Its shape has been validated before. */
export interface AnyComponent {
  type: ComponentType;
  id?: number | null;
  custom_id?: string | null;
  components?: AnyComponent[];
  component?: AnyComponent;
  accessory?: AnyComponent;
  style?: number;
  url?: string | null;
  label?: string | null;
  emoji?: Emoji | null;
  content?: string;
  media?: { url: string };
  file?: { url: string };
  items?: { media: { url: string } }[];
  options?: { label: string; value: string; emoji?: Emoji | null; default?: boolean | null }[] | null;
  default_values?: { id: string }[] | null;
  channel_types?: ChannelType[] | null;
  min_values?: number | null;
  max_values?: number | null;
  file_types?: string[] | null;
  disabled?: boolean | null;
  required?: boolean | null;
  value?: string | null;
  /** Of a checkbox. */
  default?: boolean | null;
  min_length?: number | null;
  max_length?: number | null;
}

interface Emoji {
  id?: string | null;
  name?: string | null;
}

/** Discord's union types are read here as one loose shape, because the rules below cross all of them. */
export const loosely = (components: readonly unknown[]): AnyComponent[] => components as AnyComponent[];

/** Every component with its path, outer ones first. */
export function* walk(
  components: readonly AnyComponent[],
  at: Path,
): Generator<{ component: AnyComponent; path: Path }> {
  for (const [index, component] of components.entries()) {
    const path = [...at, index];
    yield { component, path };
    if (component.components) yield* walk(component.components, [...path, 'components']);
    for (const key of ['accessory', 'component'] as const) {
      const inner = component[key];
      if (!inner) continue;
      yield { component: inner, path: [...path, key] };
      if (inner.components) yield* walk(inner.components, [...path, key, 'components']);
    }
  }
}

/** What the texts among these components, and in them, say. */
export const textsIn = (components: readonly unknown[]): string[] =>
  [...walk(loosely(components), [])].flatMap(({ component }) => component.content ?? []);

/**
 * The id of each component: the one that its bot chose, else the next that no other has. Source: 'Component
 * Reference', anatomy of a component.
 */
export function numbering(components: readonly AnyComponent[]): (component: AnyComponent) => number {
  const chosen = new Set([...walk(components, [])].map(({ component }) => component.id));
  let last = 0;
  return ({ id }) => {
    if (id) return id;
    do last++;
    while (chosen.has(last));
    return last;
  };
}

/** Rules of the components of a message that its schema does not know. */
export function checkComponents(
  errors: FormErrors,
  components: readonly APIMessageTopLevelComponent[],
  flags: number,
  emojis: ReadonlySet<string>,
): void {
  const rows = loosely(components);
  const modern = (flags & MessageFlags.IsComponentsV2) !== 0;
  const all = [...walk(rows, ['components'])];

  if (!modern) {
    for (const [index, { type }] of rows.entries()) {
      if (type !== ComponentType.ActionRow) {
        errors.add(
          ['components', index, 'type'],
          'BASE_TYPE_CHOICES',
          'Value of field "type" must be one of (1,).',
        );
      }
    }
    if (rows.length > MAX_ROWS) {
      errors.add(['components'], 'BASE_TYPE_BAD_LENGTH', `Must be between 1 and ${MAX_ROWS} in length.`);
    }
  }
  if (all.length > MAX_COMPONENTS) {
    errors.add(
      ['components'],
      'COMPONENT_MAX_TOTAL_COMPONENTS_EXCEEDED',
      `The total number of components cannot exceed ${MAX_COMPONENTS}.`,
    );
  }
  if (textsIn(rows).join('').length > MAX_TEXT) {
    errors.add(
      ['components'],
      'COMPONENT_DISPLAYABLE_TEXT_SIZE_EXCEEDED',
      `The total displayable text size exceeds the maximum of ${MAX_TEXT}.`,
    );
  }
  checkEach(errors, all, { required: false });
  checkEmojis(errors, all, emojis);
}

/** Only emojis that there are: of Unicode, or of `known`. What Discord says of others, bots have told. */
function checkEmojis(
  errors: FormErrors,
  all: readonly { component: AnyComponent; path: Path }[],
  known: ReadonlySet<string>,
): void {
  for (const { component, path } of all) {
    const options = (component.options ?? []).map(({ emoji }, n) => ({ emoji, at: [...path, 'options', n] }));
    for (const { emoji, at } of [{ emoji: component.emoji, at: path }, ...options]) {
      if (!emoji || (emoji.id ? known.has(emoji.id) : isEmoji(emoji.name ?? ''))) continue;
      errors.add([...at, 'emoji', emoji.id ? 'id' : 'name'], 'COMPONENT_INVALID_EMOJI');
    }
  }
}

/** The files that a component shows, each with the place of its address. */
export function filesOf({ media, file, items }: AnyComponent, path: Path): { url: string; at: Path }[] {
  return [
    ...(media ? [{ url: media.url, at: [...path, 'media', 'url'] }] : []),
    ...(file ? [{ url: file.url, at: [...path, 'file', 'url'] }] : []),
    ...(items ?? []).map((item, n) => ({ url: item.media.url, at: [...path, 'items', n, 'media', 'url'] })),
  ];
}

/** How many values a select menu, a group or a file upload takes. Source: 'Component Reference', their structures. */
export function boundsOf({ type, options, min_values, max_values }: AnyComponent): {
  min: number;
  max: number;
} {
  const most = type === ComponentType.CheckboxGroup ? (options?.length ?? 1) : 1;
  return { min: min_values ?? 1, max: max_values ?? most };
}

/** What is selected as long as nobody has touched it: values of options, or ids. */
export const defaultsOf = ({ options, default_values }: AnyComponent): string[] => [
  ...(options ?? []).filter((option) => option.default).map(({ value }) => value),
  ...(default_values ?? []).map(({ id }) => id),
];

const SELECTS: ReadonlySet<ComponentType> = new Set([
  ComponentType.StringSelect,
  ComponentType.UserSelect,
  ComponentType.RoleSelect,
  ComponentType.MentionableSelect,
  ComponentType.ChannelSelect,
]);
const FORM_FIELDS: ReadonlySet<ComponentType> = new Set([
  ComponentType.FileUpload,
  ComponentType.RadioGroup,
  ComponentType.CheckboxGroup,
]);

export const isSelect = ({ type }: AnyComponent): boolean => SELECTS.has(type);

/**
 * Rules that messages and modals share: ids, buttons, rows, and what takes values. `required` is what holds
 * where a component does not say whether it is.
 */
export function checkEach(
  errors: FormErrors,
  all: readonly { component: AnyComponent; path: Path }[],
  { required }: { required: boolean },
): void {
  const ids = new Set<number>();
  const customIds = new Set<string>();
  for (const { component, path } of all) {
    const customId = component.custom_id;
    if (customId && customIds.has(customId)) {
      errors.add([...path, 'custom_id'], 'COMPONENT_CUSTOM_ID_DUPLICATED');
    }
    if (customId) customIds.add(customId);
    if (component.id && ids.has(component.id)) errors.add([...path, 'id'], 'COMPONENT_ID_DUPLICATED');
    if (component.id) ids.add(component.id);
    if (component.type === ComponentType.ActionRow) checkRow(errors, component, path);
    if (component.type === ComponentType.Button) checkButton(errors, component, path);
    if (isSelect(component) || FORM_FIELDS.has(component.type)) {
      checkValues(errors, { ...component, required: component.required ?? required }, path);
    }
    checkFileTypes(errors, component.file_types, path);
  }
}

function checkRow(errors: FormErrors, row: AnyComponent, path: Path): void {
  const inside = row.components ?? [];
  if (inside.length > 1 && inside.some(({ type }) => type !== ComponentType.Button)) {
    errors.add([...path, 'components', 1], 'COMPONENT_LAYOUT_WIDTH_EXCEEDED');
  }
}

function checkButton(errors: FormErrors, button: AnyComponent, path: Path): void {
  const required = (key: string) => errors.add([...path, key], 'BASE_TYPE_REQUIRED');
  if (button.style === ButtonStyle.Premium) return;
  if (button.style === ButtonStyle.Link) {
    if (!button.url) required('url');
    checkScheme(errors, button.url, [...path, 'url'], [...WEB, 'discord']);
    if (button.custom_id) errors.add(path, 'BUTTON_COMPONENT_CUSTOM_ID_AND_URL');
  } else {
    if (!button.custom_id) required('custom_id');
    if (button.url) errors.add([...path, 'url'], 'BUTTON_COMPONENT_INVALID_URL');
  }
  if (!button.label?.trim() && !button.emoji)
    errors.add([...path, 'label'], 'BUTTON_COMPONENT_INVALID_LABEL');
}

function checkValues(errors: FormErrors, component: AnyComponent, path: Path): void {
  const { min, max } = boundsOf(component);
  if (min > max) errors.add([...path, 'min_values'], 'SELECT_COMPONENT_MIN_MAX');
  if (component.required && min === 0) {
    errors.add([...path, 'min_values'], 'SELECT_COMPONENT_REQUIRED_ZERO_MIN_VALUES');
  }
  if (defaultsOf(component).length > max) {
    errors.add(
      [...path, component.options ? 'options' : 'default_values'],
      'SELECT_COMPONENT_TOO_MANY_DEFAULTS',
    );
  }
  if (component.default_values?.length && component.default_values.length < min) {
    errors.add([...path, 'default_values'], 'SELECT_COMPONENT_TOO_FEW_DEFAULTS');
  }
  if (!component.options) return;
  for (const [index, { label }] of component.options.entries()) {
    // Source: discord-api-docs#6169.
    if (label.trim() === '') errors.add([...path, 'options', index, 'label'], 'BASE_TYPE_REQUIRED');
  }
  const values = component.options.map(({ value }) => value);
  if (max > values.length && component.max_values) {
    errors.add([...path, 'max_values'], 'SELECT_COMPONENT_MAX_VALUES');
  }
  for (const [index, value] of values.entries()) {
    if (values.indexOf(value) !== index) {
      errors.add([...path, 'options', index, 'value'], 'SELECT_COMPONENT_OPTION_VALUE_DUPLICATED');
    }
  }
}
