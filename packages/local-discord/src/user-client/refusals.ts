/** What Discord's client says to a person whom it does not let do something. `{name}` stands for a value. */
export const REFUSALS = {
  required: 'This is required.',
  text: 'Type a text.',
  tooShort: 'Too short: at least {min} characters.',
  tooLong: 'Too long by {over}: at most {max} characters.',
  number: 'Type a number.',
  wholeNumber: 'Type a whole number.',
  atLeast: 'Use {min} or more.',
  atMost: 'Use {max} or less.',
  trueOrFalse: 'Pick True or False.',
  file: 'Pick a file.',
  fileType: 'Only these file types can be picked here: {types}.',
  fileTooLarge: 'Your file is too large: at most {limit} bytes.',
  filesTooLarge: 'Your files are too large: at most {limit} bytes at once.',
  oneOfChoices: 'Pick one of the values in the list.',
  count: 'Pick {min} to {max}.',
  unknown: "There is no '{name}'.",
  unknownCommand: "There is no command '{name}' for you here.",
  severalCommands: "Several apps have a command '{name}' here: name the one you mean by its id.",
  unknownSubcommand: "This command has no subcommand '{name}'.",
  noSubcommand: 'This command needs one of its subcommands.',
  unknownOption: "This command has no option '{name}'.",
  unknownField: "The form has no field '{name}'.",
  noSuggestions: 'This option has no suggestions.',
  unknownChannel: 'There is no channel {id} for you.',
  unknownMessage: 'There is no message {id} for you.',
  unknownComponent: "The message has nothing with the custom id '{name}'.",
  noButton: 'This is not a button.',
  button: 'This is a button.',
  disabled: 'This is disabled.',
  formClosed: 'This form is not open.',
  unknownUser: 'There is no person {id}.',
  unknownBot: 'There is no bot {id}.',
  unknownLanguage: "Discord has no language '{name}'.",
  blocked: 'This message was blocked by AutoMod.',
  mayNotWrite: 'You may not write here.',
  mayNotAttach: 'You may not attach files here.',
  mayNotReact: 'You may not react here.',
  mayNotEdit: 'You may only edit your own messages.',
  mayNotDelete: 'You may not delete this message.',
  mayNotDismiss: 'Only your own private answers go away.',
  noReply: 'Private answers take no replies.',
  /** Discord's API speaks English. */
  api: '{message}',
};

type Refusals = typeof REFUSALS;

export interface Refusal {
  code: keyof Refusals;
  values: Readonly<Record<string, string | number>>;
}

/** The sentence for `refusal` out of `texts`; numbers as they are written in `locale`. */
export function sayRefusal(texts: Refusals, { code, values }: Refusal, locale: string): string {
  const { format } = new Intl.NumberFormat(locale, { maximumFractionDigits: 20 });
  return texts[code].replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = values[name] ?? '';
    return typeof value === 'number' ? format(value) : value;
  });
}
