import { translate } from '@hlid/protocol/base/texts';
import type * as en from '../en/training.ts';

export const title = 'Æfingar';
export const intro =
  'Bílastæðið hér er hermt: prófaðu hvað sem er. Æfing lætur eitthvað gerast og hakað er við skrefin eftir því sem þú gerir í venjulegu herbergjunum.';
export const trainerAway =
  'Forritið sem hermir bílastæðið svarar ekki. Ræstu það aftur til að byrja á æfingu.';
export const start = 'Byrja æfinguna';
export const again = 'Aftur';
export const car = 'Bíllinn';
export const firstCar = 'Fyrri bíllinn';
export const secondCar = 'Seinni bíllinn';
export const readAs = 'Lesið sem';
export const goTo = 'Fara í: {room}';
export const states = translate<typeof en.states>()({
  new: 'Ný',
  begun: 'Hafin',
  done: 'Lokið',
});
export const elsewhere = translate<typeof en.elsewhere>()({
  title: 'Þessi bílastæði eru raunveruleg',
  why: 'Hér er aldrei æft, þar sem bílar og peningar eru raunverulegir. Æfingarnar eru í sérstakri æfingauppsetningu: sama stjórnborð með hermdu bílastæði.',
  how: 'Á hvaða tölvu sem er með Node.js, í möppu kerfisins:',
  after: 'Þá birtist slóð með eigin innskráningu. Hver skjár þar er merktur. Æfingarnar eru sex:',
});
export const lessons = translate<typeof en.lessons>()({
  'first-car': {
    title: 'Fyrsti bíllinn',
    teaches: 'Bíll ekur inn og þú finnur hann eftir númerinu. Heimild hleypir honum út án greiðslu.',
    done: 'Bíllinn er farinn. Síða dvalarinnar sýnir alla leið hans.',
    steps: {
      arrived: {
        title: 'Bíllinn ekur inn',
        hint: 'Hann kemur að innkeyrslu eftir nokkrar sekúndur. Fylgstu með akreinunum.',
      },
      found: {
        title: 'Þú finnur hann',
        hint: 'Ýttu á Ctrl+K hvar sem er og sláðu inn númerið eða hluta þess.',
      },
      permit: {
        title: 'Þú gefur honum heimild',
        hint: 'Veldu Ný heimild og sláðu inn númerið með ástæðu. Hún er komin að hliðinu innan sekúndu.',
      },
      left: {
        title: 'Hann ekur út',
        hint: 'Ökumaðurinn fer að útkeyrslu sem opnast vegna heimildarinnar.',
      },
    },
  },
  'misread-plate': {
    title: 'Rangt lesið númer',
    teaches:
      'Myndavélin missti síðasta staf númersins og því gildir heimild bílsins ekki. Þú berð lesturinn saman við myndina og leiðréttir hann.',
    done: 'Númerið er rétt og heimildin hleypti bílnum út.',
    steps: {
      misread: { title: 'Bíllinn kemur inn á röngu númeri', hint: 'Það tekur nokkrar sekúndur.' },
      corrected: {
        title: 'Þú leiðréttir númerið',
        hint: 'Berðu númerið saman við myndina, í Yfirferð eða á síðu dvalarinnar, og sláðu inn það sem þú sérð.',
      },
      left: { title: 'Hann ekur út', hint: 'Ökumaðurinn fer að útkeyrslu sem þekkir nú heimildina.' },
    },
  },
  'no-money': {
    title: 'Ökumaður án peninga',
    teaches:
      'Ökumaður stendur við útkeyrslu og getur ekki greitt. Þú ákveður hvað verður um gjaldið og opnar fyrir þennan bíl.',
    done: 'Ökumaðurinn er kominn út og skráð er hver ákvað hvað og hvers vegna.',
    steps: {
      'at-exit': {
        title: 'Bíllinn stendur við útkeyrsluna',
        hint: 'Hliðið er lokað því eitthvað er ógreitt. Fylgstu með akreinunum.',
      },
      decided: {
        title: 'Þú ákveður gjaldið og opnar',
        hint: 'Veldu Opna við akreinina þar sem bíllinn stendur. Veldu hvað verður um gjaldið og gefðu ástæðu.',
      },
      left: { title: 'Hann ekur út', hint: 'Hliðið opnast og dvölinni lýkur.' },
    },
  },
  'device-down': {
    title: 'Tæki er bilað',
    teaches:
      'Posinn svarar ekki lengur. Þú athugar síðan hvenær, lest hvað skal gera og lætur staðinn tengjast aftur.',
    done: 'Posinn virkar aftur. Síða tækisins geymir hvað gerðist.',
    steps: {
      down: { title: 'Posinn stöðvast', hint: 'Staðurinn verður þess var innan hálfrar mínútu.' },
      tried: {
        title: 'Þú lætur staðinn reyna aftur',
        hint: 'Opnaðu posann í Tæki, lestu ráðin og veldu Reyna aftur. Þá kveikir einhver á staðnum á honum.',
      },
      works: {
        title: 'Hann virkar aftur',
        hint: 'Það tekur nokkrar sekúndur. Reyndu aftur ef það dregst.',
      },
    },
  },
  refund: {
    title: 'Endurgreiðsla',
    teaches:
      'Ökumaður greiddi með korti en átti ekki að gera það. Þú endurgreiðir reikninginn og féð fer aftur á kortið.',
    done: 'Féð er komið aftur á kortið og kreditreikningur er í bókunum.',
    steps: {
      paid: { title: 'Ökumaðurinn greiðir í síma og fer', hint: 'Það tekur nokkrar sekúndur.' },
      refunded: {
        title: 'Þú endurgreiðir reikninginn',
        hint: 'Opnaðu reikninginn, veldu Endurgreiða og gefðu ástæðu. Beðið er um nýja staðfestingu á að þetta sért þú.',
      },
      'money-back': { title: 'Féð er á leið til baka', hint: 'Bankinn svarar innan nokkurra sekúndna.' },
    },
  },
  'closing-day': {
    title: 'Lok dags',
    teaches:
      'Í lok dags á ekkert að standa opið: dvöl sem enginn hefur greitt og greiðsla sem bankinn tekur til baka. Þú gengur frá báðum og undirritar daginn.',
    done: 'Ekkert af þessu stendur opið. Berðu tekjur dagsins í Skýrslum saman við greiðslurnar.',
    steps: {
      prepared: { title: 'Dagurinn hefur fært sitt', hint: 'Það tekur nokkrar sekúndur.' },
      'unpaid-settled': {
        title: 'Þú gerir upp dvöl fyrri bílsins',
        hint: 'Hún er í Fjármál, Ógreitt. Felldu gjaldið niður með ástæðu eða skráðu hvernig var greitt.',
      },
      'doubt-answered': {
        title: 'Þú svarar endurkröfu seinni bílsins',
        hint: 'Opnaðu greiðsluna og skráðu hvernig endurkröfunni lauk.',
      },
      'day-signed': {
        title: 'Þú undirritar daginn',
        hint: 'Í Fjármál, Dagsuppgjör: gerðu daginn í dag upp, afgreiddu hvert misræmi og undirritaðu. Hér þarf dagurinn ekki að vera liðinn.',
      },
    },
  },
});
