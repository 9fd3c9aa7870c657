/** Red, green, blue as sRGB encodes them, 0 to 1. */
export type Rgb = readonly [red: number, green: number, blue: number];

/** Björn Ottosson's OKLCH: lightness 0 to 1, chroma 0 to about 0.37, hue in degrees. */
export type Oklch = readonly [lightness: number, chroma: number, hue: number];

const encode = (v: number) => (v <= 0.0031308 ? 12.92 * v : 1.055 * v ** (1 / 2.4) - 0.055);

function toRgb(lightness: number, chroma: number, hue: number): Rgb {
  const a = chroma * Math.cos((hue * Math.PI) / 180);
  const b = chroma * Math.sin((hue * Math.PI) / 180);
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  return [
    encode(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s),
    encode(-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s),
    encode(-0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s),
  ];
}

const clamp = (v: number) => Math.min(1, Math.max(0, v));

/** The nearest colour a screen can show: chroma gives way, lightness and hue stay. */
export function rgb([lightness, chroma, hue]: Oklch): Rgb {
  const light = clamp(lightness);
  const shown = (kept: number) => toRgb(light, kept, hue).every((v) => v >= -0.002 && v <= 1.002);
  let kept = Math.max(0, chroma);
  if (!shown(kept)) {
    let excess = kept;
    kept = 0;
    for (let halving = 0; halving < 14; halving++) {
      const middle = (kept + excess) / 2;
      if (shown(middle)) kept = middle;
      else excess = middle;
    }
  }
  const [red, green, blue] = toRgb(light, kept, hue);
  return [clamp(red), clamp(green), clamp(blue)];
}

/** Between two colours in OKLCH, hue by the shorter way round; a grey takes the other's hue. */
export function blend(from: Oklch, to: Oklch, share: number): Oklch {
  const fromHue = from[1] < 0.01 ? to[2] : from[2];
  const toHue = to[1] < 0.01 ? from[2] : to[2];
  const turn = ((((toHue - fromHue) % 360) + 540) % 360) - 180;
  return [from[0] + (to[0] - from[0]) * share, from[1] + (to[1] - from[1]) * share, fromHue + turn * share];
}

/** Between two screen colours, straight through. */
export function mix(from: Rgb, to: Rgb, share: number): Rgb {
  return [
    from[0] + (to[0] - from[0]) * share,
    from[1] + (to[1] - from[1]) * share,
    from[2] + (to[2] - from[2]) * share,
  ];
}

/** What a surface of this colour shows under that light. */
export function lit(surface: Rgb, light: Rgb): Rgb {
  return [surface[0] * light[0], surface[1] * light[1], surface[2] * light[2]];
}

/** How bright a colour looks, 0 to 1 (Rec. 601). */
export function luminance(red: number, green: number, blue: number): number {
  return 0.299 * red + 0.587 * green + 0.114 * blue;
}

/** `#rrggbb`. */
export function css(colour: Rgb): string {
  return `#${colour
    .map((v) =>
      Math.round(clamp(v) * 255)
        .toString(16)
        .padStart(2, '0'),
    )
    .join('')}`;
}

/**
 * Evenly spaced colours as a function of 0 to 1, mixed in a straight line in OKLab so that nothing turns grey or
 * gaudy.
 */
export function gradient(stops: readonly (readonly [at: number, colour: Oklch])[]): (t: number) => Rgb {
  const table: Rgb[] = [];
  for (let step = 0; step <= 256; step++) {
    const t = step / 256;
    const next = stops.findIndex(([at]) => at >= t);
    const to = stops[next < 0 ? stops.length - 1 : next];
    const from = stops[Math.max(0, (next < 0 ? stops.length : next) - 1)];
    if (!from || !to) throw new Error('A gradient needs at least one stop.');
    const span = to[0] - from[0];
    const share = span > 0 ? clamp((t - from[0]) / span) : 0;
    table.push(rgb(straight(from[1], to[1], share)));
  }
  const last = table[256] ?? [0, 0, 0];
  return (t) => {
    const place = clamp(t) * 256;
    const index = Math.floor(place);
    return mix(table[index] ?? last, table[index + 1] ?? last, place - index);
  };
}

function straight(from: Oklch, to: Oklch, share: number): Oklch {
  const radians = Math.PI / 180;
  const a = from[1] * Math.cos(from[2] * radians) * (1 - share) + to[1] * Math.cos(to[2] * radians) * share;
  const b = from[1] * Math.sin(from[2] * radians) * (1 - share) + to[1] * Math.sin(to[2] * radians) * share;
  return [from[0] + (to[0] - from[0]) * share, Math.hypot(a, b), Math.atan2(b, a) / radians];
}
