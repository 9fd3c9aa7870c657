/** What can stand in a picture, and the words that ask for it. */
export const SUBJECT_WORDS = {
  fox: 'fox foxes vixen fuchs füchse füchsin renard zorro volpe 狐 狐狸 きつね キツネ лиса',
  wolf: 'wolf wolves husky coyote jackal wölfe loup lobo lupo 狼 オオカミ волк',
  dog: 'dog dogs puppy puppies hound corgi shiba retriever terrier hund hunde welpe chien perro cane 犬 狗 いぬ собака',
  cat: 'cat cats kitten kittens kitty kitties feline katze katzen kätzchen kater chat gato gatto 猫 ねこ ネコ кошка кот',
  tiger: 'tiger tigers tigre 虎',
  bear: 'bear bears grizzly bär bären ours oso orso 熊 くま медведь',
  rabbit: 'rabbit rabbits bunny bunnies hare hase hasen kaninchen lapin conejo coniglio 兔 うさぎ заяц',
  deer: 'deer stag stags doe fawn elk moose reindeer rentier rentiere rentieren hirsch reh cerf ciervo cervo 鹿 олень',
  horse: 'horse horses pony stallion pferd pferde cheval caballo cavallo 馬 马 лошадь',
  unicorn: 'unicorn unicorns einhorn einhörner licorne unicornio unicorno ユニコーン 独角兽 единорог',
  camel: 'camel camels caravan dromedary kamel kamele karawane chameau camello 骆驼 ラクダ',
  elephant: 'elephant elephants elefant elefanten éléphant elefante 象 ゾウ слон',
  bird: 'bird sparrow robin raven crow finch parrot hummingbird eagle hawk falcon vogel rabe adler oiseau pájaro uccello 鳥 鸟 птица',
  owl: 'owl owls eule eulen uhu hibou búho gufo フクロウ 猫头鹰 сова',
  crane: 'crane heron stork kranich reiher storch grue grulla 鶴 鹤',
  penguin: 'penguin penguins pinguin pinguine pingouin pingüino ペンギン 企鹅 пингвин',
  whale: 'whale whales orca wal wale baleine ballena balena 鯨 鲸 クジラ кит',
  fish: 'fish fishes koi goldfish salmon carp fisch fische poisson pez pesce 魚 鱼 рыба',
  turtle: 'turtle turtles tortoise schildkröte tortue tortuga tartaruga 亀 龟 черепаха',
  jellyfish: 'jellyfish medusa qualle quallen méduse クラゲ 水母',
  butterfly:
    'butterfly butterflies moth schmetterling schmetterlinge papillon mariposa farfalla 蝶 蝴蝶 бабочка',
  dragon: 'dragon dragons wyvern drake drache drachen dragón drago 龍 竜 龙 дракон',
  person:
    'person man men woman women girl 1girl boy 1boy child children kid lady gentleman wanderer traveler traveller hiker hikers people human figure monk king queen princess prince grandmother grandma granny grandfather grandpa elder mann männer frau frauen mädchen junge kind kinder mensch könig königin prinz prinzessin oma opa großmutter großvater homme femme fille garçon hombre mujer niña niño uomo donna 人 女 男 女性 男性 少女 少年 女孩 男孩 человек женщина девушка мужчина старик',
  wizard:
    'wizard witch mage sorcerer sorceress zauberer hexe magicien sorcière mago bruja 魔法使い 巫师 волшебник',
  knight: 'knight knights warrior ritter krieger chevalier caballero 騎士 骑士 рыцарь',
  samurai: 'samurai samurais ronin 侍 サムライ 武士 самурай',
  astronaut:
    'astronaut astronauts cosmonaut spaceman astronautin raumfahrer astronaute astronauta 宇航员 宇宙飛行士 космонавт',
  robot: 'robot robots android cyborg mech droid roboter ロボット 机器人 робот',
  castle: 'castle castles fortress palace citadel burg schloss château castillo castello 城 城堡 замок',
  tower: 'tower towers turret ruin ruins turm türme tour torre 塔 башня',
  lighthouse: 'lighthouse lighthouses beacon leuchtturm leuchttürme phare faro 灯台 灯塔 маяк',
  cabin:
    'cabin house home cottage hut houses farmhouse barn village villages hamlet haus häuser hütte häuschen dorf dörfer maison casa pueblo villaggio 村 деревня 家 房子 小屋 дом',
  temple: 'temple temples pagoda shrine torii tempel pagode sanctuaire templo tempio 寺 神社 храм',
  church: 'church cathedral chapel kirche dom kapelle église iglesia chiesa 教会 教堂',
  windmill: 'windmill windmills mill windmühle mühle moulin molino mulino 風車 风车',
  boat: 'boat boats sailboat sail yacht boot boote segelboot bateau voilier velero barca 舟',
  ship: 'ship ships galleon schiff schiffe segelschiff segelschiffe navire barco nave 船 корабль',
  rowboat: 'rowboat rowboats dinghy canoe ruderboot ruderboote kanu barque лодка',
  train: 'train trains locomotive railway zug züge eisenbahn tren treno 電車 火车 列車 поезд',
  car: 'car cars automobile van roadster auto autos wagen voiture coche macchina 車 汽车 машина',
  rocket:
    'rocket rockets spaceship spacecraft shuttle rakete raketen raumschiff fusée cohete razzo ロケット 火箭 ракета',
  balloon: 'balloon balloons airship zeppelin ballon ballons heißluftballon montgolfière globo 気球 气球',
  bicycle: 'bicycle bike bicycles fahrrad vélo bicicleta 自転車 自行车',
  bridge: 'bridge bridges brücke brücken pont puente ponte 橋 桥 мост',
  tree: 'tree oak willow bonsai baum eiche weide arbre árbol albero 木 树 дерево',
  flower:
    'flower rose tulip sunflower lotus orchid daisy blume rosa tulpe sonnenblume fleur girasol fiore 花 ひまわり цветок',
  mushroom:
    'mushroom mushrooms toadstool fungi pilz pilze fliegenpilz champignon seta hongo fungo キノコ 蘑菇 гриб',
  crystal: 'crystal crystals gem gems diamond kristall kristalle cristal 水晶 кристалл',
  bowl: 'bowl ramen noodle noodles pasta spaghetti soup stew rice udon pho schüssel suppe nudeln bol soupe nouilles tazón sopa zuppa 丼 拉面 ラーメン 碗 суп',
  cup: 'cup coffee tea mug espresso latte cappuccino cocoa tasse kaffee tee café thé té caffè tè コーヒー お茶 咖啡 茶 кофе чай',
  fruit: 'fruit fruits obst früchte fruta frutta 果物 水果 фрукты',
  vase: 'vase vases bouquet blumenstrauß strauß jarrón ramo 花瓶 ваза букет',
  cake: 'cake cakes cupcake pie kuchen torte gâteau tarta torta ケーキ 蛋糕 торт',
  pizza: 'pizza pizzas ピザ 披萨 пицца',
  teapot: 'teapot kettle teekanne kanne kessel théière tetera teiera 急須 茶壶 чайник',
  book: 'book books buch bücher livre livres libro libros libri 本 书 книга',
  bookcase:
    'library libraries bookcase bookshelf bookshelves bibliothek bücherei bücherregal bibliothèque biblioteca 図書館 图书馆 библиотека',
  piano: 'piano pianos klavier flügel pianoforte ピアノ 钢琴 пианино',
  planet: 'planet saturn jupiter earth globe planeten planète planeta 惑星 行星 планета',
} as const;

export type SubjectKind = keyof typeof SUBJECT_WORDS;
