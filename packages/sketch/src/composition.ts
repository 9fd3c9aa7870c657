import { type Being, HABITATS, type Habitat, sizeAmong } from './habitat.ts';
import type { SubjectKind } from './lexicon/subjects.ts';
import { PLACELESS } from './placing.ts';
import { between, chance, pick, type Random } from './random.ts';
import type { Role } from './roles.ts';
import type { Actor, Light, Scene, Setting } from './scene.ts';
import { beforeTheCamera, inCompany, onTheTable, type Part, type Slot } from './slots.ts';
import { poseOf } from './subjects/poses.ts';

/** Puts horizon, light and actors where they balance each other. */
export function compose(
  setting: Setting,
  roles: readonly Role[],
  random: Random,
): Pick<Scene, 'horizon' | 'light' | 'actors'> {
  const horizon = horizonOf(setting, random);
  const alike = new Set(roles.map(({ kind }) => kind)).size < roles.length;
  const young = (traits: Role['traits']) => traits?.includes('young') === true && !traits.includes('old');
  const beings = roles.map(
    ({ kind, traits }): Being => ({
      kind,
      child: kind === 'person' && young(traits ?? setting.likeness.traits),
    }),
  );
  const actors: Actor[] = [];
  for (const [index, role] of roles.entries()) {
    const being = beings[index];
    actors.push(
      place({
        ...role,
        index,
        of: roles.length,
        among: being && sizeAmong(being, beings),
        pose: poseOf(setting, role.kind, role.rider !== undefined),
      }),
    );
  }
  return { horizon, actors, light: lightOf(setting, horizon, actors[0], random) };

  function place(part: Part): Actor {
    const { kind, coat, rider, traits, pose, index } = part;
    const { x, y, size } = slotOf(part);
    const lane = x / setting.aspect;
    const astray = alike && part.of > 2 && chance(random, 0.35);
    const inward = lane < 0.48 || (lane <= 0.52 && chance(random, 0.5));
    return {
      kind,
      coat,
      rider,
      ...(traits && { traits }),
      pose,
      x,
      y,
      size,
      mirrored: inward !== astray,
      stream: `actor ${index}`,
    };
  }

  function slotOf(part: Part): Slot {
    if (part.pose === 'close') return beforeTheCamera(setting, part);
    if (setting.place === 'table') return onTheTable(setting, part, horizon, random);
    const people = part.kind === 'person' && part.of <= 3;
    if (alike && !people) return inCompany(setting, part, horizon, random);
    return beside(setting, part, actors[0], random) ?? onItsOwn(setting, part, horizon, random);
  }
}

/** The same, with left and right exchanged. */
export const mirrored = <S extends Pick<Scene, 'aspect' | 'actors' | 'light'>>(scene: S): S => ({
  ...scene,
  light: scene.light && { ...scene.light, x: scene.aspect - scene.light.x },
  actors: scene.actors.map((actor) => ({ ...actor, x: scene.aspect - actor.x, mirrored: !actor.mirrored })),
});

function horizonOf({ water, aspect }: Setting, random: Random): number {
  const base = water ? between(random, 0.54, 0.64) : between(random, 0.56, 0.68);
  return aspect < 0.85 ? base + 0.04 : base;
}

/** One that stands on the ground next to the first, where both do. */
function beside(
  { aspect, framing, place }: Setting,
  { among, index, kind }: Part,
  first: Actor | undefined,
  random: Random,
): Slot | undefined {
  const grounded = (of: SubjectKind) => HABITATS[of].footing === 'ground' && !HABITATS[of].far;
  if (!first || among === undefined || !grounded(kind) || !grounded(first.kind) || PLACELESS.has(place))
    return undefined;
  const size =
    among * Math.min(1, aspect * 1.15) * (framing === 'vista' ? 0.72 : 0.9) * between(random, 0.97, 1.03);
  const side = first.x > aspect / 2 === (index === 1) ? -1 : 1;
  const away = (first.size * 0.3 + size * 0.5) * between(random, 0.95, 1.15) + 0.02;
  return {
    x: within(first.x + side * away, Math.min(aspect / 2, size * 0.5), aspect),
    y: Math.min(0.97, first.y + between(random, 0.005, 0.025)),
    size,
  };
}

/** A single subject, or up to three different ones that balance each other. */
function onItsOwn(setting: Setting, part: Part, horizon: number, random: Random): Slot {
  const { aspect, framing } = setting;
  const { kind, rider, pose, index } = part;
  const habitat = HABITATS[kind];
  const measure = Math.min(1, aspect * 1.15);
  const nearness = { portrait: 1.75, emblem: 0.95, hero: 1, vista: 0.72 }[framing];
  const rank = part.of === 1 ? 1 : habitat.far ? 0.9 : index === 0 ? 0.78 : 0.62;
  const wide = pose === 'submerged' ? 0.78 : rider ? 0.92 : 1;
  const full = part.among === undefined ? habitat.size * rank : part.among * 0.9;
  const size = full * measure * nearness * wide * between(random, 0.94, 1.06);
  const lane = lanes(aspect, framing, index, random);
  return {
    x: within(lane * aspect, Math.min(aspect / 2, size * (pose === 'submerged' ? 0.92 : 0.58)), aspect),
    y: footOf(setting, habitat, size, index, horizon, random),
    size,
  };
}

/** The lane's place, moved so that nothing is cut off at the sides. */
function within(x: number, half: number, aspect: number): number {
  return Math.min(aspect - half, Math.max(half, x));
}

function lanes(aspect: number, framing: Scene['framing'], index: number, random: Random): number {
  if ((framing === 'portrait' || framing === 'emblem') && index === 0) return 0.5;
  const spread = aspect > 1.25 ? 0.17 : aspect < 0.85 ? 0.06 : 0.1;
  const side = random() < 0.5 ? -1 : 1;
  const first = 0.5 + side * spread * between(random, 0.3, 1.1);
  if (index === 0) return first;
  return index === 1
    ? first > 0.5
      ? between(random, 0.22, 0.3)
      : between(random, 0.7, 0.78)
    : between(random, 0.42, 0.58);
}

function footOf(
  setting: Setting,
  habitat: Habitat,
  size: number,
  index: number,
  horizon: number,
  random: Random,
): number {
  if (setting.framing === 'emblem' && setting.place === 'studio')
    return 1.01 - 0.6 * Math.min(1, setting.aspect * 1.3) + size / 2;
  if (setting.framing === 'portrait' && index === 0)
    return habitat.footing === 'ground' && !habitat.far ? 0.96 + size * 0.36 : 0.98;
  if (setting.place === 'studio' && habitat.footing === 'ground')
    return 0.84 + (habitat.far ? 0 : 0.04 + index * 0.02);
  if (PLACELESS.has(setting.place))
    return Math.min(0.9, 0.5 + size / 2 + between(random, -0.05, 0.06)) - index * 0.12;
  if (habitat.footing === 'air')
    return Math.max(size + 0.05, (index === 0 ? 0.3 : 0.2) + size / 2 + between(random, 0, 0.08));
  if (habitat.footing === 'water')
    return horizon + (1 - horizon) * between(random, 0.38, 0.52) - index * 0.05;
  if (habitat.far)
    return horizon + (1 - horizon) * (setting.framing === 'vista' ? 0.42 : 0.55) - index * 0.02;
  return horizon + (1 - horizon) * (setting.framing === 'vista' ? 0.66 : 0.76) - index * 0.04;
}

const ALTITUDE = {
  dawn: [0.02, 0.14],
  day: [0.36, 0.5],
  golden: [0.12, 0.24],
  sunset: [0.0, 0.1],
  dusk: [-0.05, 0.0],
  night: [0.28, 0.42],
} as const;

function lightOf(
  setting: Setting,
  horizon: number,
  actor: Actor | undefined,
  random: Random,
): Light | undefined {
  const { aspect, elements, time } = setting;
  const kind = elements.has('moon') ? 'moon' : elements.has('sun') ? 'sun' : undefined;
  if (!kind) return undefined;
  const [low, high] =
    ALTITUDE[kind === 'sun' && time === 'night' ? 'dusk' : kind === 'moon' ? 'night' : time];
  const large =
    kind === 'moon'
      ? between(random, 0.045, 0.075)
      : time === 'sunset' || time === 'dawn'
        ? between(random, 0.05, 0.095)
        : between(random, 0.03, 0.05);
  const behind = actor !== undefined && chance(random, 0.3) && setting.framing !== 'portrait';
  const across = actor
    ? actor.x < aspect / 2
      ? between(random, 0.66, 0.82)
      : between(random, 0.18, 0.34)
    : pick(random, [0.28, 0.36, 0.5, 0.64, 0.72]);
  return {
    kind,
    x: behind ? actor.x : across * aspect,
    y:
      setting.place === 'studio'
        ? 0.1
        : Math.max(0.1, horizon - between(random, low, high) - (setting.backdrop === 'none' ? 0 : 0.12)),
    radius: large * Math.min(1, aspect) * (behind ? 1.5 : 1),
  };
}
