import { translate } from '../../base/texts.ts';
import type { DEVICE_ADVICE_EN } from './en.ts';

export const DEVICE_ADVICE_IS = translate<typeof DEVICE_ADVICE_EN>()({
  all: {
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
  ofKind: {
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
    'code-reader.unreachable':
      'Athugaðu snúru kóðalesarans við þessa útkeyrslu og „path“ hans í stillingunum. Ökumenn geta slegið kóða greiðslunnar inn á sjálfsala á meðan.',
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
});
