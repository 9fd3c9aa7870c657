import { type APILabelComponent, ComponentType, TextInputStyle } from 'discord-api-types/v10';

interface Field {
  /** By which it is found among what was sent. */
  name: string;
  label: string;
  description?: string | undefined;
  required?: boolean;
}

/** A field of a form in which something is typed: one line of it unless `long`. */
export const textField = ({
  name,
  label,
  description,
  required = false,
  long = false,
  characters,
  value = '',
  placeholder,
}: Field & {
  long?: boolean;
  /** As many as it takes. */
  characters: number;
  /** What is filled in. */
  value?: string | undefined;
  placeholder?: string | undefined;
}): APILabelComponent => ({
  type: ComponentType.Label,
  label,
  ...(description !== undefined && { description }),
  component: {
    type: ComponentType.TextInput,
    custom_id: name,
    style: long ? TextInputStyle.Paragraph : TextInputStyle.Short,
    required,
    max_length: characters,
    ...(value !== '' && { value }),
    ...(placeholder !== undefined && { placeholder }),
  },
});

/** One in which one of its options is picked: the `default` one unless another is, or none where it need not be. */
export const selectField = ({
  name,
  label,
  description,
  required = false,
  options,
}: Field & {
  options: { value: string; label: string; default: boolean }[];
}): APILabelComponent => ({
  type: ComponentType.Label,
  label,
  ...(description !== undefined && { description }),
  component: {
    type: ComponentType.StringSelect,
    custom_id: name,
    required,
    ...(!required && { min_values: 0 }),
    options,
  },
});
