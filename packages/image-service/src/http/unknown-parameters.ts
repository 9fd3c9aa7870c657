import { submission } from '@darkroom/image-api/contract';

/** A key may be in the body as well. */
const KNOWN: readonly string[] = [...Object.keys(submission.shape), 'api_key'];

/** What other services call a parameter, by what it is called here. */
const MEANT: Readonly<Record<string, readonly string[]>> = {
  prompt: ['text', 'positiveprompt', 'description'],
  negative_prompt: ['negative'],
  steps: ['numinferencesteps', 'samplingsteps', 'numsteps'],
  seed: ['noiseseed', 'randomseed'],
  cfg: ['cfgscale', 'guidance', 'guidancescale'],
  model: ['checkpoint', 'ckptname', 'sdmodelcheckpoint', 'modelid'],
  workflow: ['style', 'preset'],
  image: ['images', 'imageurl', 'initimage', 'inputimage'],
  strength: ['denoisingstrength', 'denoise'],
  'width and height': ['size', 'resolution', 'imagesize', 'aspectratio'],
};
/** How many pictures other services are asked for at once. */
const COUNTS = ['n', 'num', 'count', 'batchsize', 'batchcount', 'numimages', 'numoutputs', 'samples'];
/** How many are warned of, and how much of a name is repeated. */
const MAX_WARNINGS = 10;
const MAX_NAME = 40;

/** Letters and digits in lower case: `negativePrompt`, `negative-prompt` and `negative_prompt` are one name. */
const plain = (name: string): string => name.toLowerCase().replaceAll(/[^a-z0-9]/g, '');

/** A warning for each parameter in the body of a submission that is none; `null` counts as absent. */
export function warnOfUnknown(body: unknown): string[] {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return [];
  return Object.entries(body)
    .filter(([name, value]) => value !== null && !KNOWN.includes(name))
    .slice(0, MAX_WARNINGS)
    .map(([name]) => {
      const shown = name.slice(0, MAX_NAME).replaceAll(/[\p{C}\p{Z}]+/gu, ' ');
      return `${shown} is no parameter and has no effect${hintFor(plain(name))}`;
    });
}

function hintFor(name: string): string {
  const meant =
    KNOWN.find((parameter) => plain(parameter) === name) ??
    Object.keys(MEANT).find((parameter) => MEANT[parameter]?.includes(name));
  if (meant !== undefined) return `; did you mean ${meant}?`;
  return COUNTS.includes(name) ? ': a submission makes one picture: submit again for another' : '';
}
