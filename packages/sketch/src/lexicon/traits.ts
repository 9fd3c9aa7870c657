/** What a person or a beast has, of the colour that stands right before: 'green eyes'. */
export const FEATURE_WORDS = {
  eyes: 'eyes eye eyed augen auge yeux ojos occhi 目 瞳 眼睛 глаза глазами',
  hair: 'hair haired haare haar haaren cheveux pelo capelli beard bart barbe barba 髪 头发 волосы волосами',
  clothes:
    'clothes dress shirt sweater pullover hoodie jacket coat scarf robe suit cloak kleid hemd jacke mantel chemise manteau vestido camisa abito 服 платье',
} as const;

/** Hair that one word names together with its colour. */
export const HAIR_WORDS = {
  gold: 'blonde blond blonder blonden blondes rubia 金髪',
  red: 'redhead redheaded rothaarig rothaarige rousse',
  brown: 'brunette brünett brünette',
  grey: 'greyhaired grayhaired grauhaarig grauhaarige',
} as const;

/** What is said of a person, by the word for one or by a word beside it; one word may say several things. */
export const TRAIT_WORDS = {
  female:
    'woman women girl girls 1girl lady queen princess grandmother grandma granny mother witch sorceress frau frauen mädchen dame königin prinzessin hexe oma großmutter femme fille mujer niña donna ragazza 女 女性 少女 女孩 женщина девушка',
  male: 'man men boy boys 1boy gentleman king prince monk grandfather grandpa father mann männer junge könig prinz opa großvater homme garçon hombre niño uomo ragazzo 男 男性 少年 男孩 мужчина',
  old: 'old elderly aged ancient wrinkled elder greis grandmother grandma granny grandfather grandpa alt alte alter alten oma opa großmutter großvater vieux vieil vieille viejo vieja anciano anciana vecchio vecchia 老 старый старик',
  young:
    'girl girls boy boys child children kid kids baby toddler teen teenager grandchild grandson granddaughter enkel enkelin young mädchen junge kind kinder fille garçon enfant niña niño bambino bambina 少女 少年 女孩 男孩 子供 孩子',
  royal: 'king queen prince princess crown crowned royal könig königin prinz prinzessin krone',
  walking:
    'hiker hikers wanderer wanderers traveler travelers traveller travellers backpacker pilgrim explorer adventurer climber wandernder randonneur',
  bearded: 'beard bearded moustache mustache bart bärtig bärtiger barbe barbu barba barbudo barbuto 髭',
  bald: 'bald glatze kahl chauve calvo',
  freckled: 'freckles freckle freckled sommersprossen sommersprossig taches pecas lentiggini',
  spectacled: 'glasses spectacles eyeglasses brille lunettes gafas occhiali 眼鏡 очки',
} as const;

export type Feature = keyof typeof FEATURE_WORDS;
export type Trait = keyof typeof TRAIT_WORDS;
