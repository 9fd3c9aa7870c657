/** As many of them as fit into so many characters, each of them whole, and how many more there are. */
export function asManyAsFit(all: readonly string[], separator: string, characters: number): string {
  const shown: string[] = [];
  let length = 0;
  for (const one of all) {
    length += one.length + separator.length;
    if (length <= characters) shown.push(one);
  }
  const more = all.length - shown.length;
  return [...shown, ...(more > 0 ? [`… +${more}`] : [])].join(separator);
}
