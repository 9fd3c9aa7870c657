import { cover, illuminate, setPixel, shade } from '../canvas.ts';
import { gradient, mix, rgb } from '../colour.ts';
import type { Layer } from './layer.ts';

/** The air, from above down to the horizon, brighter around the sun or moon. */
export const sky: Layer = (canvas, scene) => {
  const { palette, light, horizon } = scene;
  const air = gradient([
    [0, palette.zenith],
    [0.55, palette.middle],
    [0.97, palette.horizon],
    [1, palette.horizon],
  ]);
  const glow = rgb(palette.glow);
  const warm = mix(glow, rgb(palette.horizon), 0.4);
  const reach = scene.time === 'night' ? 0.3 : scene.time === 'day' ? 0.4 : 0.52;
  const power = scene.time === 'night' ? 0.3 : scene.weather === 'clear' ? 0.6 : 0.4;
  let row = -1;
  let colour = air(0);
  shade(canvas, (x, y, pixel) => {
    if (y !== row) colour = air(y / horizon);
    row = y;
    setPixel(pixel, colour);
    if (!light) return;
    const distance = Math.hypot((x - light.x) * 0.85, y - light.y);
    cover(pixel, warm, power * Math.exp(-((distance / reach) ** 2) * 2.2));
    illuminate(pixel, glow, power * 0.5 * Math.exp(-distance / (reach * 0.3)));
  });
};
