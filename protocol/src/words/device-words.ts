import type { AlarmState, DeviceKind, DeviceState } from '../records/device.ts';

/** The names of devices. */
export const DEVICE_KIND_WORDS: Record<'is' | 'en', Record<DeviceKind, string>> = {
  en: {
    camera: 'Camera',
    gate: 'Gate',
    terminal: 'Card terminal',
    kiosk: 'Kiosk screen',
    link: 'Link to the cloud',
    disk: 'Disk',
    database: 'Database',
    clock: 'Clock',
    lists: 'Permits and prices',
    outbox: 'Events for the cloud',
    pictures: 'Pictures for the cloud',
    certificate: 'Certificates',
    backup: 'Backup',
    upgrade: 'Upgrade',
    payment: 'Ways to pay',
  },
  is: {
    camera: 'Myndavél',
    gate: 'Hlið',
    terminal: 'Posi',
    kiosk: 'Skjár sjálfsala',
    link: 'Samband við skýið',
    disk: 'Diskur',
    database: 'Gagnagrunnur',
    clock: 'Klukka',
    lists: 'Leyfi og verð',
    outbox: 'Atburðir til skýsins',
    pictures: 'Myndir til skýsins',
    certificate: 'Skilríki',
    backup: 'Afritun',
    upgrade: 'Uppfærsla',
    payment: 'Greiðsluleiðir',
  },
};

/** The states of devices, in a word or two. */
export const DEVICE_STATE_WORDS: Record<'is' | 'en', Record<DeviceState, string>> = {
  en: {
    ok: 'in order',
    unknown: 'not known yet',
    silent: 'silent',
    unreachable: 'cannot be reached',
    'login-refused': 'refuses the login',
    failing: 'does not work',
    'clock-off': 'clock is wrong',
    low: 'little space left',
    full: 'full',
    outdated: 'out of date',
    differing: 'differs from the cloud',
    backlog: 'delayed',
    expiring: 'ends soon',
    replaced: 'was damaged and replaced',
    gone: 'removed',
  },
  is: {
    ok: 'í lagi',
    unknown: 'ekki vitað enn',
    silent: 'sendir ekkert',
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

/** What a person at the site should do about it, for all kinds of devices … */
export const DEVICE_ADVICE: Record<'is' | 'en', Record<AlarmState, string>> = {
  en: {
    silent: 'Check that the camera has power and network, sees the lane, and sends to the right address.',
    unreachable: 'Check its power, its network cable and its address.',
    'login-refused':
      'The user or the password is wrong. Correct them in the configuration and restart the daemon. If they were wrong at the device, press “Try again”, or run “camera try-again”. The daemon itself tries rarely, so that the device does not lock it out.',
    failing: 'Read what the device reports. Switch it off and on.',
    'clock-off': 'Switch on network time (NTP), and check the time zone.',
    low: 'Free space on the disk, or keep pictures for a shorter time. Gates still work.',
    full: 'Free space on the disk now. Gates still work, but visits may not be stored.',
    outdated: 'Restore the link to the cloud. Until then, old permits and prices apply.',
    differing: 'The lists are fetched again automatically. If this alarm stays, call support.',
    backlog: 'Check the link to the cloud. Nothing is lost while there is space on the disk.',
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

/** … and where the kind of device matters. */
export const ADVICE_OF_KIND: Record<'is' | 'en', Partial<Record<`${DeviceKind}.${AlarmState}`, string>>> = {
  en: {
    'camera.failing':
      'Read the detail. If its documents are refused, check that the format in its push address is that of its maker, and whether its firmware has changed. “camera parse” shows how a document is read.',
    'gate.failing':
      'Check whether the barrier moves, then the relay’s power, network and wiring. If cars wait, hold it open by hand.',
    'gate.unreachable': 'Check the relay’s power and network cable. If cars wait, open the barrier by hand.',
    'gate.login-refused':
      'The user or the password is wrong, so this gate opens for nobody: hold it open by hand. Correct them in the configuration and restart the daemon. If they were wrong at the device, press “Try again”, or run “gate try-again”. The daemon itself tries rarely, so that the device does not lock it out.',
    'link.unreachable': 'Check the internet connection. The site works alone meanwhile.',
    'link.login-refused': 'The site’s credentials are no longer valid. Enrol it again.',
    'database.failing':
      'Check whether the disk is full or broken, and whether the daemon’s user may write the data folder. Exits open without the database. Entrances open by the rules while it can be read. Nothing is stored meanwhile.',
    'database.replaced':
      'The site’s database was damaged. A new one has everything that could be read. Check the open visits of the site, and replace the disk if this happens again. The damaged file is in the data folder, with a text that lists what is missing. It contains number plates: send both to support or delete them. Then this alarm ends.',
    'clock.clock-off':
      'Switch on network time (NTP) on the gate computer. Prices and permits depend on this clock.',
    'kiosk.silent':
      'The kiosk’s page has stopped or was never started. Check whether the kiosk has power and shows its first screen, then restart the service “hlid-kiosk” on the gate computer. Drivers are sent to pay by phone meanwhile. If this site’s kiosk is not Hlið’s own, set “health.kioskSilentSeconds” to null.',
    'terminal.unreachable':
      'Check the terminal’s power and cable. “Ways to pay” shows whether drivers can pay elsewhere meanwhile.',
    'terminal.login-refused':
      'The terminal refuses the connection. Correct its password or its pairing in the configuration, and restart the daemon. “terminal diagnose” shows details.',
    'terminal.failing':
      'Read the detail. “payment list” shows payments that need a person: find each in the terminal’s own list of the day, and record the result (“payment booked”, “payment not-booked” or “payment given-back”). If the terminal is no longer in the configuration, you can put it back under its old id: then the daemon queries it.',
    'terminal.differing':
      'Compare the terminal’s report of the day with the payments of that day: one of the two lacks a payment.',
    'payment.failing':
      'Drivers who owe cannot pay, and the exits stay closed for them: open by hand, or hold the exits open, until a way to pay works. Then give the site a second way to pay.',
    'outbox.failing':
      'The site sends far more than it should, or what the cloud cannot read. Check its version, and whether something else uses its credentials: renew them then. Its gates work.',
    'pictures.backlog': 'Check the link to the cloud. Visits go on without their pictures.',
    'backup.failing':
      'Check whether the place of the backups can be reached and has room, then run “backup” on the gate computer.',
    'upgrade.failing':
      'Read why the new version was not kept. If it went back, the site works with the former version: correct the cause and upgrade again, or run “upgrade dismiss”.',
    'backup.outdated': 'Check the timer that runs “backup” on the gate computer, then run “backup” there.',
    'certificate.expiring':
      'Renew the certificate, and replace the old files by the new ones. Nothing needs a restart. If it is the cloud’s, its operator renews it.',
    'certificate.failing':
      'Correct the files that the detail names, or renew the certificate. Nothing needs a restart. Gates work, but cameras that push by https, or the link to the cloud, may not.',
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
      'Gagnagrunnur svæðisins skemmdist og nýr var stofnaður með því sem hægt var að lesa. Farðu yfir opnar dvalir svæðisins og skiptu um disk eða minniskort ef þetta gerist aftur. Skemmda skráin er í gagnamöppunni ásamt texta sem segir hvað vantar. Í henni eru bílnúmer: sendu hvort tveggja til þjónustunnar eða eyddu því, þá lýkur þessari viðvörun.',
    'clock.clock-off': 'Kveiktu á nettíma (NTP) á hliðtölvunni. Verð og leyfi fara eftir þessari klukku.',
    'kiosk.silent':
      'Síða sjálfsalans hefur stöðvast eða fór aldrei í gang. Athugaðu hvort sjálfsalinn fær rafmagn og sýnir upphafsskjáinn og endurræstu svo þjónustuna „hlid-kiosk“ í hliðtölvunni. Ökumönnum er vísað á greiðslu með síma á meðan. Ef sjálfsalinn er ekki frá Hlið skaltu setja „health.kioskSilentSeconds“ á null.',
    'terminal.unreachable':
      'Athugaðu rafmagn og snúru posans. „Greiðsluleiðir“ sýnir hvort ökumenn geta greitt annars staðar á meðan.',
    'terminal.login-refused':
      'Posinn hleypir okkur ekki inn. Lagaðu í stillingum það sem hann þarf til þess (lykilorð, pörun) og endurræstu forritið; „terminal diagnose“ segir meira.',
    'terminal.failing':
      'Athugaðu hvað um hann er sagt. „payment list“ sýnir greiðslur sem bíða eftir manneskju: finndu hverja þeirra í dagslista posans og segðu hvað þú fannst („payment booked“, „payment not-booked“, „payment given-back“). Posa sem er ekki lengur í stillingum má setja þar aftur með sama auðkenni: þá er hann spurður sjálfur.',
    'terminal.differing':
      'Berðu dagsuppgjör posans saman við greiðslur dagsins: annar hvor veit af greiðslu sem hinn þekkir ekki.',
    'payment.failing':
      'Ökumenn sem skulda geta ekki greitt og útkeyrslur eru lokaðar fyrir þeim: opnaðu handvirkt, eða haltu þeim opnum, þar til hægt er að greiða. Settu svo upp aðra greiðsluleið á svæðinu.',
    'outbox.failing':
      'Svæðið sendir miklu meira en það á að gera, eða það sem skýið skilur ekki. Athugaðu útgáfu þess og hvort eitthvað annað notar aðgang þess: endurnýjaðu hann þá. Hliðin virka.',
    'pictures.backlog': 'Athugaðu sambandið við skýið. Dvalir ganga áfram án mynda.',
    'backup.failing':
      'Athugaðu hvort geymslustaður afrita svarar og hefur pláss og keyrðu svo „backup“ á hliðtölvunni.',
    'upgrade.failing':
      'Athugaðu hvers vegna nýja útgáfan var ekki notuð. Ef farið var til baka gengur svæðið á eldri útgáfunni: lagaðu orsökina og uppfærðu aftur, eða keyrðu „upgrade dismiss“.',
    'backup.outdated': 'Athugaðu tímastillinn sem keyrir „backup“ á hliðtölvunni og keyrðu svo „backup“ þar.',
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
