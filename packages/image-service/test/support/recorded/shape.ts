/** The places of a JSON value with the types that stand there, as `exec_info.queue_remaining number`. */
export function shapeOf(value: unknown, place = ''): string[] {
  const type = value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value;
  const parts = Array.isArray(value)
    ? value.flatMap((each) => shapeOf(each, `${place}[]`))
    : type === 'object'
      ? Object.entries(Object(value)).flatMap(([name, each]) => shapeOf(each, `${place}.${name}`))
      : [];
  return [...new Set([`${place} ${type}`, ...parts])].sort();
}
