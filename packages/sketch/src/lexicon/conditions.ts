export const TIME_WORDS = {
  dawn: 'dawn sunrise morning daybreak early morgen sonnenaufgang morgendämmerung aube matin amanecer alba 朝 夜明け рассвет утро',
  day: 'day noon midday daylight daytime sunny afternoon tag mittag sonnig nachmittag jour midi mediodía día giorno 昼 день',
  golden: 'golden goldenhour evening abend goldene soir tarde sera 夕方 вечер',
  sunset: 'sunset sundown sonnenuntergang coucher atardecer tramonto 夕日 夕焼け 日落 закат',
  dusk: 'dusk twilight gloaming dämmerung abenddämmerung crépuscule crepúsculo 黄昏 сумерки',
  night:
    'night midnight nighttime nocturnal moonlit moonlight nacht mitternacht nachts nuit noche notte 夜 晚上 ночь',
} as const;

export const WEATHER_WORDS = {
  clear: 'clear cloudless klar wolkenlos dégagé despejado',
  cloudy: 'cloudy overcast bewölkt nuageux nublado nuvoloso 曇り облачно',
  rain: 'rain rainy raining drizzle shower regen regnerisch pluie lluvia pioggia 雨 дождь',
  storm:
    'storm stormy thunder thunderstorm lightning tempest hurricane sturm gewitter blitz stürmisch orage tempête tormenta tempesta 嵐 雷 шторм буря',
  snow: 'snow snowy snowing snowfall blizzard frost frosty schnee verschneit neige nieve neve 雪 снег',
  fog: 'fog foggy mist misty haze hazy nebel nebelig neblig dunst brume brouillard niebla nebbia 霧 雾 туман',
} as const;

export const SEASON_WORDS = {
  spring: 'spring springtime april frühling printemps primavera 春 весна',
  summer: 'summer july sommer été verano estate 夏 лето',
  autumn: 'autumn fall autumnal october herbst herbstlich automne otoño autunno 秋 осень',
  winter: 'winter wintry january icy ice eis hiver invierno inverno 冬 зима',
} as const;

/** Smaller things that a picture may have or lack. */
export const ELEMENT_WORDS = {
  sun: 'sun sunshine sunlight sonne soleil sol sole 太陽 太阳 солнце',
  moon: 'moon crescent mond lune luna 月 луна',
  stars:
    'stars star starry constellation starlight sterne stern sternenhimmel étoiles estrellas stelle 星 звёзды',
  aurora:
    'aurora borealis northern polarlicht polarlichter nordlicht nordlichter aurore オーロラ 极光 сияние',
  sky: 'sky skies himmel ciel cielo 空 天空 небо',
  clouds: 'clouds cloud wolken wolke nuages nubes nuvole 雲 云 облака',
  birds: 'birds flock gulls seagull seagulls geese swallows vögel möwen möwe oiseaux pájaros uccelli птицы',
  trees:
    'trees pine pines fir firs conifer conifers palms palm birch birches bäume tannen palmen birken arbres pins árboles alberi деревья',
  bamboo: 'bamboo bamboos bambus bambou bambú bambù 竹 бамбук',
  road: 'road roads highway landstraße route carretera strada 道 路 дорога',
  flowers:
    'flowers wildflowers poppies lavender tulips roses daisies sunflowers bloom blooming blumen blüten fleurs flores fiori 花畑 цветы',
  petals:
    'cherry sakura blossom blossoms petals petal kirschblüten kirschblüte blütenblätter cerisier cerezo 桜 樱花',
  leaves: 'leaves leaf foliage laub blätter feuilles hojas foglie 紅葉 落叶 листья',
  fireflies:
    'firefly fireflies glowing sparkle sparkles magic magical enchanted glühwürmchen magisch lucioles luciérnagas lucciole 蛍',
  embers: 'fire flame flames lava burning ember embers feuer flammen feu fuego fuoco 火 炎 огонь',
  rainbow: 'rainbow regenbogen arcoíris arcobaleno 虹 радуга',
  bubbles: 'bubble bubbles blasen bulles burbujas 泡',
  water: 'water wasser puddle eau agua acqua 水 вода',
  grass: 'grass gras reeds schilf herbe hierba erba 草 трава',
  windows: 'windows lights lamps fenster lichter lumières luces luci 灯り огни',
} as const;

export const MOOD_WORDS = {
  calm: 'calm quiet peaceful serene tranquil still ruhig friedlich calme tranquilo 静か',
  dark: 'dark gloomy moody grim gothic noir shadow shadows dunkel düster sombre oscuro scuro 暗い мрачный',
  spooky: 'spooky haunted eerie creepy scary horror halloween unheimlich gruselig spuk hanté',
  cheerful:
    'cheerful happy joyful bright vibrant colorful colourful fun cute kawaii fröhlich bunt glücklich joyeux alegre 可愛い',
  dreamy:
    'dreamy dream surreal ethereal fantasy mystical fairytale verträumt traum märchen rêve sueño sogno 夢',
  epic: 'epic dramatic majestic heroic grand mighty episch dramatisch majestätisch épique épico',
  cozy: 'cozy cosy warm homely snug gemütlich chaleureux acogedor',
  cold: 'cold chilly frozen freezing kalt eisig froid frío freddo 寒い',
  pastel: 'pastel soft gentle delicate pale sanft zart doux suave',
  vintage: 'vintage retro antique nostalgic sepia faded nostalgisch ancien antiguo',
  electric: 'neon synthwave vaporwave futuristic cyber holographic electric futuristisch',
  plain: 'minimal minimalist minimalistisch',
  colourless: 'monochrome grayscale greyscale schwarzweiß schwarzweiss schwarzweißfoto schwarzweißbild',
} as const;

/** Of these, the words that name more than the sparks that are drawn for them. */
export const MORE_THAN_EMBERS = 'fire flame flames lava burning feuer flammen feu fuego fuoco 火 炎 огонь';

/** How near the viewer stands. */
export const FRAMING_WORDS = {
  portrait:
    'portrait closeup close headshot selfie face bust macro porträt nahaufnahme gesicht retrato ritratto',
  emblem: 'logo logos icon icons emblem badge crest sticker mascot symbol abzeichen wappen aufkleber',
  vista:
    'landscape panorama panoramic wide vista view aerial distant scenery landschaft aussicht paysage paisaje',
} as const;

export type Time = keyof typeof TIME_WORDS;
export type Weather = keyof typeof WEATHER_WORDS;
export type Season = keyof typeof SEASON_WORDS;
export type Element = keyof typeof ELEMENT_WORDS;
export type Mood = keyof typeof MOOD_WORDS;
export type Framing = keyof typeof FRAMING_WORDS | 'hero';
