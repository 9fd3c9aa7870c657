import { boldCredits } from './formats.ts';

/** Of graphs in ComfyUI's format. */
export const graph = {
  heading: (name: string, nodes: number) => `**${name}** · ${nodes} ${nodes === 1 ? 'node' : 'nodes'}`,
  more: (count: number) => `${count} more`,
  models: (models: string) => `Models: ${models}`,
  unknown: (classes: string) => `I don’t know these: ${classes}. The image service has to have them.`,
  'no-graph': 'That file isn’t a ComfyUI graph. Export it in ComfyUI with Workflow → Export (API).',
  editor:
    'That graph was saved for the ComfyUI editor. Export it with Workflow → Export (API). In older versions, turn on Dev Mode in the settings, then Save (API Format).',
  broken: (line: number, column: number) =>
    `That file isn’t valid JSON: it breaks at line ${line}, column ${column}.`,
  fileTooLarge: 'That file is too large: 1 MB at most.',
  'too-large': (nodes: number, values: number, kilobytes: number) =>
    `That graph is too large: ${nodes} nodes, ${values} values and ${kilobytes} KB at most.`,
  'filled-too-large':
    'With your words filled in, that graph is too large. Shorten the prompt, or use `%prompt%` less often.',
  slow: 'That took too long to read. Shorten the prompt, or the texts in the graph.',
  busy: 'I’m still reading what was sent before. Try again in a few seconds.',
  notFetched: 'I couldn’t fetch that file from Discord. Try again.',
  secret: (node: string | undefined, input: string | undefined) =>
    `${
      node === undefined || input === undefined ? 'Something in that graph' : `**${input}** of **${node}**`
    } looks like a key or password. Nothing was sent or kept. Take it out and attach the file again.`,
  noEffect: (options: readonly string[]) =>
    `${options.map((option) => `\`${option}\``).join(', ')} ${options.length === 1 ? 'has' : 'have'} no effect with a graph that has no place for ${options.length === 1 ? 'it' : 'them'}. Leave ${options.length === 1 ? 'it' : 'them'} out.`,
  tooManyPixels: (node: string, largest: string) =>
    `Pictures can have no more pixels than ${largest} here, and **${node}** in this graph makes larger ones.`,
  tooManySteps: (node: string, most: number) =>
    `Pictures can take ${most} steps at most here, and **${node}** in this graph takes more.`,
  tooManyPictures: (node: string, batch: number, pictures: number, most: number) =>
    `**${node}** in this graph makes ${batch} pictures at a time. That would be ${pictures} pictures, and ${most} are the most at once.`,
  unread: (node: string, input: string) =>
    `${input === 'steps' ? 'Steps are' : 'The size of pictures is'} limited here, and I can’t tell \`${input}\` of **${node}** in this graph. Write it as a number.`,
  unreadBatch: (node: string, input: string, most: number) =>
    `A request makes ${most} pictures at most, and I can’t tell \`${input}\` of **${node}** in this graph. Write it as a number.`,
  unreadModel: (node: string) =>
    `The size of pictures is limited here, and I can’t tell how much larger **${node}** in this graph makes them. Use a model whose name says it, such as \`4x-UltraSharp\`.`,
  promptUnused: 'There is no `%prompt%` in it: your prompt isn’t used.',
  takesNothing:
    'This graph has no place for words, a size or a seed: the same picture would come of it, whatever you type.',
  noSeed: 'There is no seed in it: the pictures will be the same.',
  warning: (sentence: string) => `The image service says: ${sentence}`,
  refused: (reason: string | undefined) =>
    reason === undefined
      ? 'The image service won’t run this graph.'
      : `The image service won’t run this graph. It says: ${reason}`,
  price: (credits: number, count: number) =>
    `${count === 1 ? 'Price' : `Price of ${count} pictures`}: ${boldCredits(credits)}.`,
  'no-output':
    'No picture comes out of that graph: it has no node such as **SaveImage**. Add one in ComfyUI, and export it again.',
  badName:
    'A name begins with a letter or a digit, and has up to 40 letters, digits, spaces, dots, hyphens and underscores.',
  saved: 'Saved. Members pick it with `graph_name` in `/imagine`.',
  replaced: 'Replaced. Members pick it with `graph_name` in `/imagine`.',
  removed: (name: string) => `Removed **${name}**.`,
  notKept: (name: string) => `This server has no graph **${name}**. \`/graph list\` shows those it has.`,
  twice: '`graph` and `graph_name` are two graphs. Leave one of them out.',
  full: (most: number) => `This server has ${most} graphs already. Remove one with \`/graph remove\`.`,
  contents: '`/graph list` with a `name` shows its nodes and models.',
  none: 'This server has no graphs yet. Whoever manages it adds one with `/graph save`.',
  line: (name: string, nodes: number, saved: string) =>
    `**${name}** · ${nodes} ${nodes === 1 ? 'node' : 'nodes'} · ${saved}`,
};
