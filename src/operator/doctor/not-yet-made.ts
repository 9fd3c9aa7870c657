import { existsSync } from 'node:fs';
import { access, constants } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { OperatorError } from '@darkroom/process';
import type { Words } from '../words/words.ts';

/** Of what the first start makes in `folder`. Rejects with an `OperatorError` where its user may not. */
export async function notYetMade(folder: string, { doctor }: Words): Promise<string> {
  let there = resolve(folder);
  while (!existsSync(there)) there = dirname(there);
  await access(there, constants.W_OK).catch(() => {
    throw new OperatorError(doctor.closedFolder(there));
  });
  return doctor.notYetMade;
}
