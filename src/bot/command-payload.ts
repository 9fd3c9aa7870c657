import {
  type APIApplicationCommandBasicOption,
  type APIApplicationCommandSubcommandOption,
  ApplicationCommandOptionType as Type,
} from 'discord-api-types/v10';

type Basic = APIApplicationCommandBasicOption;

/** What an option of this type can say beside its name. */
type More<Option> = Option extends unknown
  ? Omit<Option, 'type' | 'name' | 'description' | 'required'>
  : never;

const optionOf =
  <Kind extends Basic['type']>(type: Kind) =>
  <const Name extends string, Required extends boolean = false>(
    name: Name,
    description: string,
    more?: More<Extract<Basic, { type: Kind }>> & { required?: Required },
  ) =>
    // One that does not say so is not required.
    ({ type, name, description, ...more }) as {
      type: Kind;
      name: Name;
      description: string;
      required: NoInfer<Required>;
    };

/** Options in the payload of a command, by their type; its handler is typed by them. */
export const option = {
  text: optionOf(Type.String),
  integer: optionOf(Type.Integer),
  number: optionOf(Type.Number),
  yesOrNo: optionOf(Type.Boolean),
  file: optionOf(Type.Attachment),
  user: optionOf(Type.User),
  role: optionOf(Type.Role),
  channel: optionOf(Type.Channel),
};

/** The bounds of an option that is a number. */
export const within = ({ min, max }: { min: number; max: number }) => ({ min_value: min, max_value: max });

type Subcommand<Name> = Omit<APIApplicationCommandSubcommandOption, 'name' | 'options'> & { name: Name };

export function subcommand<const Name extends string>(name: Name, description: string): Subcommand<Name>;
export function subcommand<const Name extends string, const Options extends Basic[]>(
  name: Name,
  description: string,
  options: Options,
): Subcommand<Name> & { options: Options };
export function subcommand(
  name: string,
  description: string,
  options?: Basic[],
): APIApplicationCommandSubcommandOption {
  return { type: Type.Subcommand, name, description, ...(options && { options }) };
}
