/** ISO 3166-1: alpha-3 with the alpha-2 of the same country behind it. XKK stands for Kosovo. */
const CODES = `
  ABWAW AFGAF AGOAO AIAAI ALAAX ALBAL ANDAD AREAE ARGAR ARMAM ASMAS ATAAQ ATFTF ATGAG AUSAU AUTAT AZEAZ
  BDIBI BELBE BENBJ BESBQ BFABF BGDBD BGRBG BHRBH BHSBS BIHBA BLMBL BLRBY BLZBZ BMUBM BOLBO BRABR BRBBB
  BRNBN BTNBT BVTBV BWABW CAFCF CANCA CCKCC CHECH CHLCL CHNCN CIVCI CMRCM CODCD COGCG COKCK COLCO COMKM
  CPVCV CRICR CUBCU CUWCW CXRCX CYMKY CYPCY CZECZ DEUDE DJIDJ DMADM DNKDK DOMDO DZADZ ECUEC EGYEG ERIER
  ESHEH ESPES ESTEE ETHET FINFI FJIFJ FLKFK FRAFR FROFO FSMFM GABGA GBRGB GEOGE GGYGG GHAGH GIBGI GINGN
  GLPGP GMBGM GNBGW GNQGQ GRCGR GRDGD GRLGL GTMGT GUFGF GUMGU GUYGY HKGHK HMDHM HNDHN HRVHR HTIHT HUNHU
  IDNID IMNIM INDIN IOTIO IRLIE IRNIR IRQIQ ISLIS ISRIL ITAIT JAMJM JEYJE JORJO JPNJP KAZKZ KENKE KGZKG
  KHMKH KIRKI KNAKN KORKR KWTKW LAOLA LBNLB LBRLR LBYLY LCALC LIELI LKALK LSOLS LTULT LUXLU LVALV MACMO
  MAFMF MARMA MCOMC MDAMD MDGMG MDVMV MEXMX MHLMH MKDMK MLIML MLTMT MMRMM MNEME MNGMN MNPMP MOZMZ MRTMR
  MSRMS MTQMQ MUSMU MWIMW MYSMY MYTYT NAMNA NCLNC NERNE NFKNF NGANG NICNI NIUNU NLDNL NORNO NPLNP NRUNR
  NZLNZ OMNOM PAKPK PANPA PCNPN PERPE PHLPH PLWPW PNGPG POLPL PRIPR PRKKP PRTPT PRYPY PSEPS PYFPF QATQA
  REURE ROURO RUSRU RWARW SAUSA SDNSD SENSN SGPSG SGSGS SHNSH SJMSJ SLBSB SLESL SLVSV SMRSM SOMSO SPMPM
  SRBRS SSDSS STPST SURSR SVKSK SVNSI SWESE SWZSZ SXMSX SYCSC SYRSY TCATC TCDTD TGOTG THATH TJKTJ TKLTK
  TKMTM TLSTL TONTO TTOTT TUNTN TURTR TUVTV TWNTW TZATZ UGAUG UKRUA UMIUM URYUY USAUS UZBUZ VATVA VCTVC
  VENVE VGBVG VIRVI VNMVN VUTVU WLFWF WSMWS XKKXK YEMYE ZAFZA ZMBZM ZWEZW
`;

const BY_ALPHA3 = new Map(
  CODES.trim()
    .split(/\s+/)
    .map((code) => [code.slice(0, 3), code.slice(3)]),
);
const KNOWN = new Set(BY_ALPHA3.values());
/** Codes that cameras use beside those of the standard. */
const OTHER_CODES = new Map([
  ['KOV', 'XK'],
  ['KOS', 'XK'],
  ['RKS', 'XK'],
  ['XKX', 'XK'],
  ['ROM', 'RO'],
  ['UK', 'GB'],
  ['UAE', 'AE'],
  ['KSA', 'SA'],
]);

/** Signs of registration (Vienna Convention on Road Traffic) that are not the codes of ISO 3166 too. */
const SIGNS = new Map(
  'A AT,B BE,D DE,E ES,F FR,FL LI,GBZ GI,H HU,I IT,L LU,M MT,N NO,NMK MK,P PT,RSM SM,S SE,SLO SI,V VA'
    .split(',')
    .map((pair) => pair.split(' ') as [string, string]),
);

/** Converts as `countryCode` does, and accepts the sign that a vehicle carries abroad too: `F`, `SLO`. */
export function countryOfSign(given: string | null | undefined): string | null {
  return SIGNS.get((given ?? '').trim().toUpperCase()) ?? countryCode(given);
}

/** Filled when first asked: makers that send names are few. */
let byName: Map<string, string> | null = null;

/** ISO 3166 alpha-2 of a country that is given in alpha-2, alpha-3 or by its English name; null for anything else. */
export function countryCode(given: string | null | undefined): string | null {
  const text = (given ?? '').trim();
  if (text === '' || text.length > 60) return null;
  const code = text.toUpperCase();
  const other = OTHER_CODES.get(code);
  if (other !== undefined) return other;
  if (/^[A-Z]{2}$/.test(code)) return KNOWN.has(code) ? code : null;
  if (/^[A-Z]{3}$/.test(code)) return BY_ALPHA3.get(code) ?? null;
  byName ??= namesOfCountries();
  return byName.get(foldName(text)) ?? null;
}

function namesOfCountries(): Map<string, string> {
  const names = new Map<string, string>();
  for (const style of ['long', 'short'] as const) {
    const inEnglish = new Intl.DisplayNames('en', { type: 'region', style });
    for (const code of KNOWN) names.set(foldName(inEnglish.of(code) ?? code), code);
  }
  for (const [name, code] of OTHER_NAMES) names.set(foldName(name), code);
  return names;
}

/** Names that firmware writes and the locale data does not have. */
const OTHER_NAMES = [
  ['Czech Republic', 'CZ'],
  ['Macedonia', 'MK'],
  ['Turkey', 'TR'],
  ['Great Britain', 'GB'],
  ['England', 'GB'],
  ['Holland', 'NL'],
  ['USA', 'US'],
  ['Bosnia and Herzegovina', 'BA'],
  ['Vatican', 'VA'],
  ['Russian Federation', 'RU'],
] as const;

function foldName(name: string): string {
  return name
    .normalize('NFD')
    .toLowerCase()
    .replace(/&/g, 'and')
    .replace(/[^a-z]/g, '');
}
