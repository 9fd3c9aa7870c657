import { DAY_MS } from '@darkroom/time';
import { WAITING_TTL_MS } from '../jobs/job-store.ts';
import { textsFor } from '../messages/locale/texts.ts';

/** What `/privacy` says of everybody, as a Markdown page that can be linked from Discord's Developer Portal. */
export const privacyPolicy = (language: string, retentionDays: number): string =>
  textsFor(language)
    .privacy.kept(retentionDays, WAITING_TTL_MS / DAY_MS)
    .map((line) => (line.startsWith('- ') ? line : `\n${line}\n`))
    .join('\n')
    .trim();
