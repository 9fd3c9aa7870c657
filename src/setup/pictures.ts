import { resolve } from 'node:path';
import { OperatorError, ownCommand, WrongSettings } from '@darkroom/process';
import { loadConfig } from '../config.ts';
import { diagnose } from '../operator/doctor/checkup.ts';
import { engineCheckups } from '../operator/doctor/engine-checkups.ts';
import { serviceCheckups } from '../operator/doctor/service-checkups.ts';
import type { Words } from '../operator/words/words.ts';
import { Stopped } from './ask.ts';
import { askSource } from './ask-source.ts';
import { COMPATIBLE, engineProblem, lookAt, lookAtCompatible } from './engine-search.ts';
import type { Flags } from './flags.ts';
import { withSecret } from './payer.ts';
import type { Settings } from './settings.ts';
import {
  type Answer,
  addressProblem,
  described,
  isOwnEngine,
  SOURCES,
  type Source,
  sourceGiven,
  sourceIn,
  urlSettingOf,
  urlsIn,
  withoutOthers,
} from './source.ts';
import { type StepContext, triesAgain } from './step.ts';
import { drawTestPicture } from './test-picture.ts';

/** Where the test picture lies, without its ending. */
const TEST_PICTURE = 'data/test-picture';

/** Asks who draws until somebody does, and shows it by a picture. */
export async function settlePictures(
  flags: Pick<Flags, 'settings' | 'sketch' | 'choose' | 'picture'>,
  dependencies: StepContext,
): Promise<void> {
  const { ask, settings, words } = dependencies;
  const { pictures } = words;
  ask.topic(pictures.topic);

  /** Looks whether it holds, and writes it down. Resolves with whether both worked. */
  async function takeAnswer(answer: Answer): Promise<boolean> {
    const wrong = await problemOf(answer, dependencies);
    if (wrong !== undefined) ask.wrong(wrong);
    if (wrong !== undefined || !(await settings.save(withoutOthers(answer, settings)))) return false;
    ask.right(described(answer, words));
    return true;
  }

  const given = sourceGiven(flags, settings);
  let answer = answerGiven(flags.sketch ? undefined : (given ?? sourceIn(settings)), settings);
  if ((flags.sketch || given !== undefined) && (await takeAnswer(answer))) {
    if (ask.isAttended) ask.tell(pictures.chooseAnew(ownCommand('setup', '--choose')));
    if (await showByPicture(answer, flags, dependencies)) return;
  }
  while (true) {
    answer = await askSource(dependencies, answer.values);
    if ((await takeAnswer(answer)) && (await showByPicture(answer, flags, dependencies))) return;
  }
}

function answerGiven(source: Source | undefined, settings: Settings): Answer {
  const names = source === undefined ? [] : SOURCES[source];
  return {
    source,
    values: Object.fromEntries(
      names.flatMap((name) => {
        const value = settings.get(name);
        return value === undefined ? [] : [[name, value]];
      }),
    ),
  };
}

/** What is wrong with an answer, as far as that is known before a picture is drawn. */
async function problemOf(answer: Answer, { ask, settings, words }: StepContext): Promise<string | undefined> {
  const { source, values } = answer;
  const { pictures } = words;
  if (source === undefined) return undefined;
  const urls = values[urlSettingOf(source)];
  const wrong = urls && addressProblem(urls, source, words);
  if (wrong) return wrong;
  try {
    loadConfig({ ...(await withSecret(settings)), ...withoutOthers(answer, settings) });
  } catch (error) {
    if (error instanceof WrongSettings) return error.problems.map(words.said).join('\n');
    throw error;
  }
  if (urls === undefined) return undefined;
  if (values.HOSTED_MODEL?.startsWith(`${COMPATIBLE}:`)) {
    const found = await lookAtCompatible(urls, values.HOSTED_API_KEY ?? '', { ask, words });
    return 'problem' in found ? found.problem : undefined;
  }
  if (!isOwnEngine(source)) return undefined;
  for (const url of urlsIn(urls)) {
    try {
      await ask.during(pictures.asking, (_, signal) => lookAt(source, url, { signal }));
    } catch (error) {
      if (error instanceof Stopped) throw error;
      return engineProblem(error, { engine: source, url }, words);
    }
  }
  return undefined;
}

/** Draws the test picture where that is wished. False where somebody would rather choose again. */
async function showByPicture(
  { source }: Answer,
  { picture }: Pick<Flags, 'picture'>,
  { ask, settings, words }: StepContext,
): Promise<boolean> {
  const { pictures } = words;
  const mayCost = source === 'hosted' || source === 'service';
  const keepAnyway = async () => !(await triesAgain({ ask, words }, pictures.other, pictures.keep));
  if (mayCost && ask.isAttended) {
    const unwell = await ask.during(pictures.asking, (_, signal) => unwellIn(settings, words, signal));
    if (unwell.length > 0) {
      ask.wrong(unwell.join('\n'));
      return keepAnyway();
    }
  }
  const isWished = picture ?? (!mayCost || (ask.isAttended && (await ask.confirm(pictures.mayDraw))));
  if (!isWished) return true;
  try {
    const { file, seconds, credits } = await ask.during(pictures.drawing, async (progress, signal) =>
      drawTestPicture(await settings.all(), {
        file: resolve(TEST_PICTURE),
        words,
        onProgress: (percent) => progress(`${Math.round(percent)} %`),
        onWait: (why) => ask.tell(pictures.notThereYet(why)),
        signal,
      }),
    );
    ask.right(pictures.drawn(file, seconds, credits === undefined ? '' : pictures.cost(credits)));
    return true;
  } catch (error) {
    if (!(error instanceof OperatorError || error instanceof Stopped)) throw error;
    ask.wrong(pictures.notDrawn(error instanceof Stopped ? pictures.isStopped : error.message));
    return keepAnyway();
  }
}

/** What the doctor finds wrong of who draws, without a picture: that costs nothing. */
async function unwellIn(settings: Settings, words: Words, signal: AbortSignal): Promise<string[]> {
  const config = loadConfig(await withSecret(settings));
  const checkups = { ...serviceCheckups(config, words), ...engineCheckups(config, words) };
  const found = await diagnose(checkups, words, { signal });
  const unwell = found.filter(({ isWell }) => !isWell);
  return unwell.map(({ name, sentence }) => `${words.doctor.names[name]}: ${sentence}`);
}
