import { ApplicationCommandOptionType as Option } from 'discord-api-types/v10';
import type { UploadInput } from '../../page-server/protocol.ts';
import { type CommandForm, type OptionField, openField } from './command-form.ts';

/** A file as the server takes it: in base64. */
export async function readUpload(file: File): Promise<UploadInput> {
  const reader = new FileReader();
  const url = await new Promise<string>((resolve, reject) => {
    reader.onload = () => resolve(String(reader.result));
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(file);
  });
  return { name: file.name, base64: url.slice(url.indexOf(',') + 1) };
}

/** The option that a dropped or pasted file goes into: the first one for files without a value, else the last. */
export function fieldForFile(form: CommandForm): OptionField | undefined {
  const options = form.command.options.filter(({ type }) => type === Option.Attachment);
  const isFilled = (option: (typeof options)[number]) =>
    form.fields.some((field) => field.option === option && field.text !== '');
  const option = options.find((one) => !isFilled(one)) ?? options.at(-1);
  return option && openField(form, option);
}
