import type { Area, Canvas } from '../canvas.ts';
import { HABITATS } from '../habitat.ts';
import type { Actor, Scene } from '../scene.ts';
import { figureOf } from '../subjects/playing.ts';
import { composite, MILLI, type Raster, rasterize } from '../vector.ts';
import { halo, lighting } from './actor-light.ts';
import { floats, reflection, shadow, waterline } from './footing.ts';
import type { Layer } from './layer.ts';

/** The subjects, far ones first: grounded by a shadow or a reflection, lit from the side where the light stands. */
export const actors: Layer = async (canvas, scene) => {
  const byDepth = [...scene.actors].sort((one, other) => rank(one) - rank(other));
  for (const actor of byDepth) await perform(canvas, scene, actor);
};

const rank = (actor: Actor) => (HABITATS[actor.kind].far ? -1 : 0) + actor.y;

async function perform(canvas: Canvas, scene: Scene, actor: Actor): Promise<void> {
  const figure = figureOf(scene, actor);
  const place = (drawing: string) => {
    const scale = (actor.size * MILLI) / 100;
    const turn = actor.mirrored ? -1 : 1;
    return `<g transform="translate(${(actor.x * MILLI).toFixed(2)} ${(actor.y * MILLI).toFixed(2)}) scale(${(scale * turn).toFixed(4)} ${scale.toFixed(4)}) translate(-50 -100)">${drawing}</g>`;
  };
  const area = surroundings(actor, 1);
  const body = lengthened(canvas, actor, await rasterize(canvas, place(figure.body), area));
  const outlined =
    scene.style === 'anime' && body
      ? lengthened(canvas, actor, await rasterize(canvas, place(outline(figure.body)), area))
      : undefined;
  if (HABITATS[actor.kind].footing === 'ground' && (scene.ground !== 'none' || scene.place === 'table'))
    shadow(canvas, scene, actor);
  if (body && floats(scene, actor)) reflection(canvas, scene, actor, body);
  if (outlined) composite(canvas, outlined, ink);
  if (body) composite(canvas, body, lighting(canvas, scene, actor, body));
  if (floats(scene, actor)) waterline(canvas, scene, actor);
  if (!figure.glow) return;
  const night =
    scene.time === 'night' || scene.time === 'dusk' || scene.weather === 'storm' || scene.time === 'sunset';
  const beams = await rasterize(canvas, place(figure.glow), canvas.area);
  const faint = actor.kind === 'lighthouse' && !night ? 0.12 : night ? 1 : 0.85;
  if (night && beams) halo(canvas, actor);
  composite(canvas, beams, undefined, faint);
}

/** A bust has no lower end where the picture goes on below it: its last row goes on down. */
function lengthened(canvas: Canvas, { pose, y, size }: Actor, body: Raster | undefined): Raster | undefined {
  if (!body || pose !== 'close' || canvas.area.bottom <= 1) return body;
  const { width, top } = body;
  const height = canvas.height - top;
  const last = Math.floor((y - size * HEM - canvas.area.top) * canvas.unit) - top;
  if (last < 0 || last >= Math.min(height, body.height)) return body;
  const data = new Uint8Array(width * height * 4);
  data.set(body.data.subarray(0, (last + 1) * width * 4));
  const row = body.data.subarray(last * width * 4, (last + 1) * width * 4);
  for (let below = last + 1; below < height; below++) data.set(row, below * width * 4);
  return { ...body, height, data };
}

/** How far above its lower end a bust is itself, and not its outline; a share of its size. */
const HEM = 0.03;

function surroundings(actor: Actor, reach: number): Area {
  const half = actor.size * (0.75 + reach);
  return {
    left: actor.x - half,
    right: actor.x + half,
    top: actor.y - actor.size * 1.35,
    bottom: actor.y + actor.size * 0.35,
  };
}

/** The same shapes once more, all in one colour and a little fatter. */
function outline(drawing: string): string {
  return `<g stroke-width="2.4" stroke-linejoin="round">${drawing.replace(/fill="(?!none)[^"]*"/g, 'fill="#2a1a33" stroke="#2a1a33"').replace(/ opacity="[^"]*"/g, '')}</g>`;
}

const ink = (_x: number, _y: number, colour: [number, number, number]) => {
  colour[0] = 0.14;
  colour[1] = 0.09;
  colour[2] = 0.2;
};
