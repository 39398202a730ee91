/** Decides how a local part is spelled for the name model: lower-case a to z, whatever script or accents it was written in. */

/** Letters without a decomposition, as people type them without their keyboard. Several letters where that is the custom. */
const SPELLINGS: ReadonlyMap<string, string> = new Map(
  [
    // Latin
    'ß=ss æ=ae œ=oe ø=o đ=d ð=d þ=th ł=l ı=i ŋ=n ħ=h ə=e ɛ=e ɔ=o ŧ=t ĸ=k',
    // Cyrillic
    'а=a б=b в=v г=g д=d е=e ж=zh з=z и=i к=k л=l м=m н=n о=o п=p р=r с=s т=t у=u ф=f х=kh ц=ts ч=ch ш=sh щ=shch ъ= ы=y ь= э=e ю=yu я=ya',
    'є=ye і=i ґ=g ђ=dj ј=j љ=lj њ=nj ћ=c џ=dz ѕ=dz қ=q ғ=gh ң=ng ү=u ұ=u ө=o һ=h ә=a',
    // Greek
    'α=a β=v γ=g δ=d ε=e ζ=z η=i θ=th ι=i κ=k λ=l μ=m ν=n ξ=x ο=o π=p ρ=r σ=s ς=s τ=t υ=y φ=f χ=ch ψ=ps ω=o',
    // Georgian
    'ა=a ბ=b გ=g დ=d ე=e ვ=v ზ=z თ=t ი=i კ=k ლ=l მ=m ნ=n ო=o პ=p ჟ=zh რ=r ს=s ტ=t უ=u ფ=p ქ=k ღ=gh ყ=q შ=sh ჩ=ch ც=ts ძ=dz წ=ts ჭ=ch ხ=kh ჯ=j ჰ=h',
    // Armenian
    'ա=a բ=b գ=g դ=d ե=e զ=z է=e ը=y թ=t ժ=zh ի=i լ=l խ=kh ծ=ts կ=k հ=h ձ=dz ղ=gh ճ=ch մ=m յ=y ն=n շ=sh ո=o չ=ch պ=p ջ=j ռ=r ս=s վ=v տ=t ր=r ց=ts ւ=v փ=p ք=k օ=o ֆ=f և=ev',
  ]
    .flatMap((line) => line.split(' '))
    .map((pair) => [pair.charAt(0), pair.slice(2)] as const),
);

/** End of the scripts with spellings: Latin with all accents, Cyrillic, Greek, Georgian, Armenian. */
const TABLE_SIZE = 0x2000;
/** Spelling of each character: on the path of a signup, a table takes a twentieth of the time of normalising. */
const TABLE: readonly string[] = Array.from({ length: TABLE_SIZE }, (_, code) =>
  spell(String.fromCharCode(code)),
);

/** Letters of scripts that have no spelling here stay as they are. */
export function foldName(text: string): string {
  for (let i = 0; i < text.length; i++) if (text.charCodeAt(i) > 127) return foldLetters(text);
  return text.toLowerCase();
}

function foldLetters(text: string): string {
  let folded = '';
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code < TABLE_SIZE) folded += TABLE[code];
    else folded += isFullWidth(code) ? TABLE[code - FULL_WIDTH] : text.charAt(i);
  }
  return folded;
}

/** Spelling of a character without accents and other marks. */
function spell(character: string): string {
  const bare = character.normalize('NFKD').toLowerCase().normalize('NFKD').replace(/\p{M}/gu, '');
  return [...bare].map((letter) => SPELLINGS.get(letter) ?? letter).join('');
}

/** Distance of full-width forms, as Japanese keyboards type them, from ASCII. */
const FULL_WIDTH = 0xfee0;
const isFullWidth = (code: number): boolean => code > 0xff00 && code < 0xff5f;
