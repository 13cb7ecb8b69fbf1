import type { AlarmState, DeviceKind, DeviceState } from '../device.ts';

/** What each device is called. */
export const DEVICE_KIND_WORDS: Record<'is' | 'en', Record<DeviceKind, string>> = {
  en: {
    camera: 'Camera',
    gate: 'Gate',
    terminal: 'Card terminal',
    link: 'Link to the cloud',
    disk: 'Disk',
    database: 'Database',
    clock: 'Clock',
    lists: 'Permits and prices',
    outbox: 'Events for the cloud',
    pictures: 'Pictures for the cloud',
    certificate: 'Certificates',
  },
  is: {
    camera: 'Myndavél',
    gate: 'Hlið',
    terminal: 'Posi',
    link: 'Samband við skýið',
    disk: 'Diskur',
    database: 'Gagnagrunnur',
    clock: 'Klukka',
    lists: 'Leyfi og verð',
    outbox: 'Atburðir til skýsins',
    pictures: 'Myndir til skýsins',
    certificate: 'Skilríki',
  },
};

/** How a device is, in a word or two. */
export const DEVICE_STATE_WORDS: Record<'is' | 'en', Record<DeviceState, string>> = {
  en: {
    ok: 'in order',
    unknown: 'not known yet',
    silent: 'silent',
    unreachable: 'cannot be reached',
    'login-refused': 'refuses the login',
    failing: 'does not work',
    'clock-off': 'clock is wrong',
    low: 'little room left',
    full: 'full',
    outdated: 'out of date',
    differing: 'not as in the cloud',
    backlog: 'waiting for long',
    expiring: 'ends soon',
    replaced: 'was damaged and replaced',
    gone: 'taken away',
  },
  is: {
    ok: 'í lagi',
    unknown: 'ekki vitað enn',
    silent: 'þögul',
    unreachable: 'ekkert samband',
    'login-refused': 'innskráningu hafnað',
    failing: 'virkar ekki',
    'clock-off': 'klukkan er röng',
    low: 'lítið pláss eftir',
    full: 'fullur',
    outdated: 'úrelt',
    differing: 'ekki eins og í skýinu',
    backlog: 'bíður lengi',
    expiring: 'rennur brátt út',
    replaced: 'skemmdist og var endurnýjað',
    gone: 'fjarlægt',
  },
};

/** What a person at the site should do about it, whatever it is … */
export const DEVICE_ADVICE: Record<'is' | 'en', Record<AlarmState, string>> = {
  en: {
    silent: 'Look whether the camera has power and network, sees the lane, and sends to the right address.',
    unreachable: 'Look at its power and its network cable, and whether its address is right.',
    'login-refused':
      'User or password are wrong. Set them right in the configuration and start the daemon anew; or, if they were wrong at the device, give “camera try-again”. By itself it tries only now and then, so that the device does not lock us out.',
    failing: 'Look at the device and at what it says; switch it off and on.',
    'clock-off': 'Switch on network time (NTP), and look at the time zone.',
    low: 'Make room on the disk, or keep pictures for less long. Gates still work.',
    full: 'Make room on the disk now. Gates still work, but nothing may be remembered.',
    outdated: 'Bring the link to the cloud back. Until then, old permits and prices are in force.',
    differing: 'The lists are fetched anew by themselves. If this stays, call support.',
    backlog: 'Look at the link to the cloud. Nothing is lost while the disk lasts.',
    expiring: 'Renew it before it ends.',
    replaced: 'Find out what damaged it, and whether anything is missing.',
  },
  is: {
    silent: 'Athugaðu hvort myndavélin fær rafmagn og net, sér akreinina og sendir á rétt vistfang.',
    unreachable: 'Athugaðu rafmagn og netsnúru, og hvort vistfangið er rétt.',
    'login-refused':
      'Notandi eða lykilorð er rangt. Lagaðu það í stillingum og endurræstu forritið; eða notaðu „camera try-again“ ef það var rangt í tækinu. Sjálfkrafa er aðeins reynt við og við svo að tækið læsi okkur ekki úti.',
    failing: 'Athugaðu tækið og hvað það segir; slökktu á því og kveiktu aftur.',
    'clock-off': 'Kveiktu á nettíma (NTP) og athugaðu tímabeltið.',
    low: 'Losaðu pláss á diskinum, eða geymdu myndir skemur. Hliðin virka áfram.',
    full: 'Losaðu pláss á diskinum strax. Hliðin virka áfram en óvíst er að nokkuð geymist.',
    outdated: 'Komdu sambandinu við skýið á aftur. Þangað til gilda gömul leyfi og verð.',
    differing:
      'Listarnir eru sóttir aftur sjálfkrafa. Ef þetta lagast ekki skaltu hafa samband við þjónustuna.',
    backlog: 'Athugaðu sambandið við skýið. Ekkert glatast meðan diskurinn endist.',
    expiring: 'Endurnýjaðu það áður en það rennur út.',
    replaced: 'Finndu hvað skemmdi það og hvort eitthvað vantar.',
  },
};

/** … and where the kind of device makes a difference. */
export const ADVICE_OF_KIND: Record<'is' | 'en', Partial<Record<`${DeviceKind}.${AlarmState}`, string>>> = {
  en: {
    'camera.failing':
      'Look at what is said of it. If its documents are refused: is the format in its push address that of its maker, and has its firmware changed? “camera parse” shows what is made of a document.',
    'gate.failing':
      'Look whether the barrier moves, then at the relay’s power, network and wiring. Hold it open by hand if cars wait.',
    'gate.unreachable': 'Look at the relay’s power and network cable. Open the barrier by hand if cars wait.',
    'gate.login-refused':
      'User or password are wrong: nobody gets through by this gate, so hold it open by hand. Set them right in the configuration and start the daemon anew; or, if they were wrong at the device, give “gate try-again”. By itself it tries only now and then, so that the device does not lock us out.',
    'link.unreachable': 'Look at the internet connection. The site goes on by itself meanwhile.',
    'link.login-refused': 'The site’s credentials are no longer good. Enrol it anew.',
    'database.failing':
      'Look whether the disk is full or broken, and whether the daemon’s user may write the data folder. Exits open without it, and entrances for whom the rules let in as long as it can be read; but nothing is remembered.',
    'database.replaced':
      'The site’s database was damaged and a new one was begun with what could be read of it. Check the open visits of the site, and replace the disk or memory card if this happens again. The damaged file lies in the data folder, with a text that says what is missing. It holds number plates: give both to support or delete them, then this alarm ends.',
    'clock.clock-off':
      'Switch on network time (NTP) on the gate computer. Prices and permits go by this clock.',
    'terminal.unreachable': 'Look at the terminal’s power and cable. Drivers can pay online meanwhile.',
    'terminal.login-refused':
      'The terminal does not let us in. Set right in the configuration what it wants for that (password, pairing), and start the daemon anew; “terminal diagnose” says more.',
    'terminal.failing':
      'Look at what is said of it. “payment list” shows payments that wait for a person: look for each in the terminal’s own list of the day, and say what you found (“payment booked”, “payment not-booked”, “payment given-back”). A terminal that is not in the configuration any more can be put back there under its old id: then it is asked itself.',
    'terminal.differing':
      'Compare the terminal’s report of the day with the payments of that day: one of both has a payment that the other does not know.',
    'pictures.backlog': 'Look at the link to the cloud. Visits go on without their pictures.',
    'certificate.expiring':
      'Renew the certificate and put the new files in the place of the old ones; nothing needs a restart. If it is the cloud’s, its operator renews it.',
    'certificate.failing':
      'Put right the files that are named, or renew the certificate; nothing needs a restart. Gates work, but cameras that push by https, or the link to the cloud, may not.',
  },
  is: {
    'camera.failing':
      'Athugaðu hvað um hana er sagt. Ef skjölum hennar er hafnað: er sniðið í vistfanginu frá réttum framleiðanda, og hefur fastbúnaður breyst? „camera parse“ sýnir hvað úr skjali verður.',
    'gate.failing':
      'Athugaðu hvort sláin hreyfist, síðan rafmagn, net og tengingar liðans. Haltu hliðinu opnu handvirkt ef bílar bíða.',
    'gate.unreachable': 'Athugaðu rafmagn og netsnúru liðans. Opnaðu hliðið handvirkt ef bílar bíða.',
    'gate.login-refused':
      'Notandi eða lykilorð er rangt: enginn kemst um þetta hlið, svo haltu því opnu handvirkt. Lagaðu það í stillingum og endurræstu forritið; eða notaðu „gate try-again“ ef það var rangt í tækinu. Sjálfkrafa er aðeins reynt við og við svo að tækið læsi okkur ekki úti.',
    'link.unreachable': 'Athugaðu netsambandið. Svæðið gengur sjálft á meðan.',
    'link.login-refused': 'Aðgangur svæðisins gildir ekki lengur. Skráðu það aftur.',
    'database.failing':
      'Athugaðu hvort diskurinn er fullur eða bilaður, og hvort notandi forritsins má skrifa í gagnamöppuna. Útkeyrslur opnast án hans, og innkeyrslur fyrir þá sem reglurnar hleypa inn meðan hægt er að lesa hann; en ekkert geymist.',
    'database.replaced':
      'Gagnagrunnur svæðisins skemmdist og nýr var stofnaður með því sem hægt var að lesa. Farðu yfir opnar heimsóknir svæðisins og skiptu um disk eða minniskort ef þetta gerist aftur. Skemmda skráin er í gagnamöppunni ásamt texta sem segir hvað vantar. Í henni eru bílnúmer: sendu hvort tveggja til þjónustunnar eða eyddu því, þá lýkur þessari viðvörun.',
    'clock.clock-off': 'Kveiktu á nettíma (NTP) á hliðtölvunni. Verð og leyfi fara eftir þessari klukku.',
    'terminal.unreachable': 'Athugaðu rafmagn og snúru posans. Ökumenn geta greitt á netinu á meðan.',
    'terminal.login-refused':
      'Posinn hleypir okkur ekki inn. Lagaðu í stillingum það sem hann þarf til þess (lykilorð, pörun) og endurræstu forritið; „terminal diagnose“ segir meira.',
    'terminal.failing':
      'Athugaðu hvað um hann er sagt. „payment list“ sýnir greiðslur sem bíða eftir manneskju: finndu hverja þeirra í dagslista posans og segðu hvað þú fannst („payment booked“, „payment not-booked“, „payment given-back“). Posa sem er ekki lengur í stillingum má setja þar aftur með sama auðkenni: þá er hann spurður sjálfur.',
    'terminal.differing':
      'Berðu dagsuppgjör posans saman við greiðslur dagsins: annar hvor veit af greiðslu sem hinn þekkir ekki.',
    'pictures.backlog': 'Athugaðu sambandið við skýið. Heimsóknir ganga áfram án mynda.',
    'certificate.expiring':
      'Endurnýjaðu skilríkið og settu nýju skrárnar í stað þeirra gömlu; ekki þarf að endurræsa neitt. Ef það er skilríki skýsins endurnýjar rekstraraðili þess það.',
    'certificate.failing':
      'Lagaðu skrárnar sem eru nefndar eða endurnýjaðu skilríkið; ekki þarf að endurræsa neitt. Hliðin virka, en óvíst er um myndavélar sem senda með https og samband við skýið.',
  },
};

/** What to do about a device that is not well. */
export function deviceAdvice(language: 'is' | 'en', kind: DeviceKind, state: AlarmState): string {
  return ADVICE_OF_KIND[language][`${kind}.${state}`] ?? DEVICE_ADVICE[language][state];
}
