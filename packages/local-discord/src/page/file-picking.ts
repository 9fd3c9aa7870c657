import { html, nothing, type TemplateResult } from 'lit';
import { extensionsOf, fitsFileTypes } from '../rules/file-types.ts';
import { sayRefusal } from '../user-client/refusals.ts';
import { fileSize } from './attachments.ts';
import type { ChosenFile } from './chosen-file.ts';
import { icons } from './icons.ts';
import type { View } from './view.ts';

/** Reads a file that was chosen, dropped or pasted. Rejects for what is none, as a folder. */
export async function readChosenFile(file: File): Promise<ChosenFile> {
  const reader = new FileReader();
  const url = await new Promise<string>((resolve, reject) => {
    reader.onload = () => resolve(String(reader.result));
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(file);
  });
  return {
    upload: { name: file.name, base64: url.slice(url.indexOf(',') + 1) },
    size: file.size,
    picture: file.type.startsWith('image/') ? url : null,
  };
}

/** What is said of a file that is not one of `types`; `null` where it may be chosen. */
export function typeProblem(
  { words, locale }: View,
  { name }: File,
  types: readonly string[] = [],
): string | null {
  if (fitsFileTypes(name, types)) return null;
  const values = { types: extensionsOf(types).join(', ') };
  return sayRefusal(words.refusals, { code: 'fileType', values }, locale);
}

/** The files that were chosen, each with what takes it away again. */
export function renderChosenFiles(
  { words, locale }: View,
  files: readonly ChosenFile[],
  remove: (file: ChosenFile) => void,
): TemplateResult | typeof nothing {
  if (files.length === 0) return nothing;
  return html`<ul class="chosen-files" aria-label=${words.files.chosen}>
    ${files.map((file) => {
      const { name } = file.upload;
      return html`<li class="chosen-file">
        ${file.picture ? html`<img src=${file.picture} alt="" />` : icons.file}
        <span class="file-name">${name}<small>${fileSize(locale, file.size)}</small></span>
        <button class="tool" type="button" aria-label=${words.files.remove(name)} @click=${() => remove(file)}>
          ${icons.close}
        </button>
      </li>`;
    })}
  </ul>`;
}

/** Takes the files out of a control, so that the same one can be chosen again. */
export function filesIn({ currentTarget: control }: Event): File[] {
  if (!(control instanceof HTMLInputElement)) return [];
  const files = [...(control.files ?? [])];
  control.value = '';
  return files;
}
