import { RESTJSONErrorCodes as Code } from 'discord-api-types/v10';
import { ApiError } from './errors.ts';

/** What Discord says beside the codes that always say the same. */
const SENTENCES = {
  APPLICATION_COMMANDS_DUPLICATE_NAME: 'Application command names must be unique',
  APPLICATION_COMMAND_CONTEXT_MENU_DESCRIPTION_NOT_ALLOWED: 'Context menu commands cannot have description',
  APPLICATION_COMMAND_CONTEXT_MENU_OPTIONS_NOT_ALLOWED: 'Context menu commands cannot have options',
  APPLICATION_COMMAND_INVALID_NAME: 'Command name is invalid',
  APPLICATION_COMMAND_OPTIONS_CHOICES_AUTOCOMPLETE: 'Choices and autocomplete are mutually exclusive',
  APPLICATION_COMMAND_OPTIONS_CHOICE_NAME_ALREADY_EXISTS: 'Option choice name already exists',
  APPLICATION_COMMAND_OPTIONS_NAME_ALREADY_EXISTS: 'Option name already exists',
  APPLICATION_COMMAND_OPTIONS_REQUIRED_INVALID: 'Required options must be placed before non-required options',
  ATTACHMENT_NOT_FOUND: 'Attachment data not found',
  BASE_TYPE_REQUIRED: 'This field is required',
  BITFIELD_TYPE_INVALID: 'This is no set of permissions',
  BULK_DELETE_DUPLICATED: 'No message is deleted twice',
  BUTTON_COMPONENT_CUSTOM_ID_AND_URL: 'A custom id and url cannot both be specified',
  BUTTON_COMPONENT_INVALID_LABEL: 'A button needs a label or an emoji',
  BUTTON_COMPONENT_INVALID_URL: 'Only link buttons can have a url',
  CHANNEL_PARENT_INVALID: 'Category does not exist',
  COMPONENT_CUSTOM_ID_DUPLICATED: 'Component custom id cannot be duplicated',
  COMPONENT_DISABLED_IN_MODAL: 'Modal components cannot be disabled',
  COMPONENT_ID_DUPLICATED: 'Component id cannot be duplicated',
  COMPONENT_INVALID_EMOJI: 'Invalid emoji',
  COMPONENT_LAYOUT_WIDTH_EXCEEDED: 'The specified component exceeds the maximum width',
  COMPONENT_VALIDATION_FAILED: 'Component validation failed',
  DEFER_FLAGS_INVALID: 'Only EPHEMERAL can be set when deferring.',
  GUILD_MEMBER_TIMEOUT_TOO_LONG: 'A timeout ends within 28 days.',
  LIST_TYPE_CONVERT: 'Only iterables may be used.',
  MESSAGE_FLAGS_COMPONENTS_V2_REMOVED: 'The IS_COMPONENTS_V2 flag cannot be removed from a message',
  MULTIPART_INVALID: 'The multipart body cannot be read.',
  REPLIES_UNKNOWN_MESSAGE: 'Unknown message',
  SELECT_COMPONENT_MAX_VALUES: 'max_values exceeds the number of options',
  SELECT_COMPONENT_MIN_MAX: 'min_values must not exceed max_values',
  SELECT_COMPONENT_OPTION_VALUE_DUPLICATED: 'The specified option value is already used',
  SELECT_COMPONENT_REQUIRED_ZERO_MIN_VALUES: 'Select menus marked as required cannot have a min_values of 0',
  SELECT_COMPONENT_TOO_FEW_DEFAULTS: 'Fewer values are selected by default than min_values asks for',
  SELECT_COMPONENT_TOO_MANY_DEFAULTS: 'More values are selected by default than max_values allows',
  URL_TYPE_INVALID_EXTENSION: 'Only .png, .jpg, .jpeg, .webp and .gif can be shown in an embed.',
};

/** One thing that is wrong with a field: a code, and what it says where that differs from case to case. */
type Wrong = [code: keyof typeof SENTENCES] | [code: string, sentence: string];

/** Keys are field names and array positions; leaves carry `_errors`. */
interface ErrorTree {
  [key: string]: ErrorTree | { code: string; message: string }[];
}

/** Keys come from the body that is refused: `__proto__` must be a key like any other. */
const emptyTree = (): ErrorTree => Object.create(null);

export type Path = readonly (string | number)[];

/** Collects what is wrong with a body, so that one answer (50035) names all of it. Paths start at `base`. */
export function createFormErrors(base: Path = []) {
  const tree = emptyTree();
  let count = 0;

  return {
    add(path: Path, ...wrong: Wrong): void {
      count++;
      const node = [...base, ...path].reduce(branch, tree);
      const others = Array.isArray(node._errors) ? node._errors : [];
      node._errors = [...others, leaf(wrong)];
    },
    throwIfAny(): void {
      if (count > 0) throw invalid(tree);
    },
  };
}

export type FormErrors = ReturnType<typeof createFormErrors>;

/** One thing that is wrong with a body, where looking further makes no sense. */
export function invalidFormBody(path: Path, ...wrong: Wrong): ApiError {
  const tree = emptyTree();
  path.reduce(branch, tree)._errors = [leaf(wrong)];
  return invalid(tree);
}

const leaf = (wrong: Wrong): { code: string; message: string } => ({
  code: wrong[0],
  message: wrong.length === 1 ? SENTENCES[wrong[0]] : wrong[1],
});

/** The node under `key`, made where there is none. */
function branch(node: ErrorTree, key: string | number): ErrorTree {
  const existing = node[key];
  if (existing && !Array.isArray(existing)) return existing;
  const made = emptyTree();
  node[key] = made;
  return made;
}

function invalid(errors: ErrorTree): ApiError {
  const code = Code.InvalidFormBodyOrContentType;
  return new ApiError(400, { message: 'Invalid Form Body', code, errors });
}
