import { sayRefusal } from '../user-client/refusals.ts';
import type { ChosenFile } from './chosen-file.ts';
import { readChosenFile, typeProblem } from './file-picking.ts';
import type { FieldFiles, FileField } from './modal-field.ts';
import type { View } from './view.ts';

export function createModalFiles(options: {
  view: View;
  /** `null`: what was in the way of this field is gone. */
  say(customId: string, problem: string | null): void;
  redraw(): void;
}): FieldFiles & {
  /** Resolves when every file that was chosen is there. */
  read(): Promise<void>;
  clear(): void;
} {
  const { view, say, redraw } = options;
  let chosen = new Map<string, readonly ChosenFile[]>();
  let reading = Promise.resolve();

  /** A field for one file takes the last one, a field for several no more than they are. */
  function keep({ customId, input }: FileField, file: ChosenFile): void {
    const { min_values: min = 1, max_values: max = 1 } = input;
    const before = max === 1 ? [] : (chosen.get(customId) ?? []);
    if (before.length < max) chosen.set(customId, [...before, file]);
    else say(customId, sayRefusal(view.words.refusals, { code: 'count', values: { min, max } }, view.locale));
  }

  return {
    of: ({ customId }) => chosen.get(customId) ?? [],
    add(field, files) {
      const form = chosen;
      say(field.customId, null);
      reading = reading.then(async () => {
        for (const file of files) {
          const read = await readChosenFile(file).catch(() => null);
          // Another form may have opened meanwhile.
          if (chosen !== form) return;
          const { file_types: types } = field.input;
          const problem = read ? typeProblem(view, file, types) : view.words.files.unreadable(file.name);
          if (problem) say(field.customId, problem);
          else if (read) keep(field, read);
        }
        redraw();
      });
    },
    remove({ customId }, file) {
      say(customId, null);
      chosen.set(
        customId,
        (chosen.get(customId) ?? []).filter((other) => other !== file),
      );
      redraw();
    },
    read: () => reading,
    clear() {
      chosen = new Map();
    },
  };
}
