import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { OperatorError, ownCommand, shellWord } from '@darkroom/process';
import { isUnitOf, ownerOf, UNIT_OF_DOCS, unitOf } from '../systemd-unit.ts';
import type { Words } from '../words/words.ts';
import type { Checkups } from './checkup.ts';

/** Where set-up and docs/operations.md have it put. */
const INSTALLED = '/etc/systemd/system/darkroom.service';

/** Whether systemd has the unit that this version writes: an upgrade of the code leaves it as it is. */
export function unitCheckups(
  { doctor }: Words,
  { installed = INSTALLED, home = process.cwd() }: { installed?: string; home?: string } = {},
): Checkups {
  async function examine(): Promise<string> {
    const unit = await readFile(installed, 'utf8');
    if (!isUnitOf(unit, home)) return doctor.otherUnit;
    const owner = ownerOf(unit, home);
    const different = differences(unit, owner ? await unitOf(owner) : await readFile(UNIT_OF_DOCS, 'utf8'));
    if (different.length === 0) return doctor.sameUnit;
    const renewal = owner
      ? ownCommand('setup', '--run systemd')
      : `sudo install -m 0644 ${shellWord(UNIT_OF_DOCS)} ${installed}`;
    throw new OperatorError(doctor.oldUnit(installed, different, renewal));
  }
  return existsSync(installed) ? { unit: examine } : {};
}

/** The names of lines that stand in only one of two units. What is a comment does nothing. */
function differences(one: string, other: string): string[] {
  const linesOf = (unit: string) => unit.split('\n').filter((line) => /^[^#\s]/.test(line));
  const [ones, others] = [linesOf(one), linesOf(other)];
  const different = [
    ...ones.filter((line) => !others.includes(line)),
    ...others.filter((line) => !ones.includes(line)),
  ];
  return [...new Set(different.map((line) => line.replace(/=.*$/, '')))];
}
