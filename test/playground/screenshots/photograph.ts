import sharp from 'sharp';

const WIDTH = 480;
const HEIGHT = 320;

/** From the farthest to the nearest. */
const RIDGES = ['#8fa6bd', '#6d8a9c', '#4f7173', '#365547', '#22392b'];

/** Stands in for a photograph of one's own: hills in the haze of a morning, with the grain of a sensor. */
export async function hills(): Promise<{ name: string; bytes: Uint8Array; contentType: string }> {
  const ridges = RIDGES.map((colour, nth) => {
    const top = HEIGHT * (0.44 + nth * 0.11);
    const at = (x: number): number =>
      top + Math.sin(x / (70 + 25 * nth) + 2 * nth) * (26 - 2 * nth) + Math.sin(x / 23 + 5 * nth) * 5;
    const line = Array.from({ length: WIDTH / 4 + 1 }, (_, step) => `${step * 4},${at(step * 4).toFixed(1)}`);
    return `<polygon fill="${colour}" points="0,${HEIGHT} ${line.join(' ')} ${WIDTH},${HEIGHT}"/>`;
  });
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}">
    <defs>
      <linearGradient id="sky" x2="0" y2="1">
        <stop stop-color="#5f8fc4"/><stop offset=".35" stop-color="#c9cfd6"/><stop offset=".5" stop-color="#f6d3a4"/>
      </linearGradient>
      <radialGradient id="sun" cx=".68" cy=".36" r=".75">
        <stop stop-color="#fffbe8"/><stop offset=".05" stop-color="#ffedbe" stop-opacity=".9"/>
        <stop offset=".3" stop-color="#ffe2a4" stop-opacity=".4"/>
        <stop offset=".6" stop-color="#ffd98a" stop-opacity=".12"/>
        <stop offset="1" stop-color="#ffd98a" stop-opacity="0"/>
      </radialGradient>
    </defs>
    <rect width="100%" height="100%" fill="url(#sky)"/><rect width="100%" height="100%" fill="url(#sun)"/>
    ${ridges.join('')}<rect width="100%" height="100%" fill="url(#sun)" opacity=".35"/>
  </svg>`;
  const noise = { type: 'gaussian', mean: 128, sigma: 9 } as const;
  const grain = await sharp({
    create: { width: WIDTH, height: HEIGHT, channels: 3, background: '#808080', noise },
  })
    .png()
    .toBuffer();
  const bytes = await sharp(Buffer.from(svg))
    .composite([{ input: grain, blend: 'soft-light' }])
    .jpeg({ quality: 88 })
    .toBuffer();
  return { name: 'hills.jpg', bytes: new Uint8Array(bytes), contentType: 'image/jpeg' };
}
