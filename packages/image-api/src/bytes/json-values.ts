const [QUOTE, BACKSLASH, COMMA, BRACKET, BRACE] = [0x22, 0x5c, 0x2c, 0x5b, 0x7b];

/**
 * Whether JSON may hold more values than `most`, found without reading it: each is its container's first, or follows
 * a comma. What a schema says of very many takes a process seconds.
 */
export function holdsMoreValues(json: Uint8Array, most: number): boolean {
  let values = 1;
  let inText = false;
  for (let at = 0; at < json.length && values <= most; at++) {
    const byte = json[at];
    if (inText) {
      if (byte === BACKSLASH) at++;
      else if (byte === QUOTE) inText = false;
    } else if (byte === QUOTE) inText = true;
    else if (byte === COMMA || byte === BRACKET || byte === BRACE) values++;
  }
  return values > most;
}
