/**
 * Passwords that are tried first, in lower case. They are gathered by hand after the kinds that head every
 * published count of leaked passwords (the yearly ones in the press, the lists of the SecLists project). The
 * kinds are bare words and names, runs of digits, walks over a keyboard, and words that a system like this
 * one suggests. The Icelandic ones of the same kinds are included. A word of this list with digits or marks
 * after it counts too (password-rules.ts), so that a word stands here once.
 */
export const COMMON_PASSWORDS: ReadonlySet<string> = new Set(
  `
  password passwort passw0rd p@ssword p@ssw0rd pa55word pass passwd passcode passphrase mypassword password1234
  newpassword changeme changeit default secret secrets topsecret letmein letmeinnow welcome welcomeback welcometo
  admin admin123 administrator root toor rootroot superuser sysadmin system manager guest user username test tester
  testing testtest test1234 demo demodemo temp temporary login loginlogin access master mastermaster qwerty qwertyuiop
  qwertyui qwerty12 qwerty123 qwertz qwertzuiop azerty azertyuiop asdf asdfgh asdfghjk asdfghjkl asdfasdf asdf1234 zxcv
  zxcvbn zxcvbnm zxcvbnm123 qazwsx qazwsxedc wsxedc 1qaz2wsx 1qaz2wsx3edc 1q2w3e4r 1q2w3e4r5t 1q2w3e4r5t6y q1w2e3r4
  q1w2e3r4t5 zaq12wsx zaq1zaq1 zaq1xsw2 qweasd qweasdzxc qwe123 qwe123qwe asd123 qweqwe qweqweqwe 123qwe 123qweasd
  123qweasdzxc 1234qwer qwer1234 a1b2c3d4 a1s2d3f4 abc123 abcd1234 abcdefg abcdefgh abcdefghi abcabcabc aa123456
  a123456 a1234567 a12345678 a123456789 123456a 123abc abc 12345678 123456789 1234567890 0123456789 012345678 01234567
  87654321 987654321 9876543210 0987654321 123123123 12341234 1234512345 123456123456 11112222 11223344 1122334455
  12121212 12344321 12345679 123654789 147258369 147852369 159357456 159753456 741852963 789456123 456789123 321321321
  321654987 102030405 10203040 10101010 13131313 20202020 21212121 23232323 22446688 13572468 24681357 31415926
  314159265 27182818 11235813 19841984 19901990 20002000 20202021 password123456 iloveyou iloveyou1 iloveu loveyou
  lovelove lovely love loveme forever friends family mother father sister brother baby babygirl babyboy princess prince
  queen king angel angels sunshine sunflower moonlight starlight rainbow flower flowers butterfly blossom summer winter
  spring autumn january february march april june july august september october november december monday tuesday
  wednesday thursday friday saturday sunday football baseball basketball softball volleyball hockey soccer golf tennis
  liverpool arsenal chelsea manchester manutd barcelona realmadrid juventus everton tottenham celtic rangers
  superman batman spiderman ironman starwars pokemon pikachu naruto minecraft fortnite roblox playstation nintendo
  xbox gandalf hogwarts harrypotter matrix whatever nothing computer internet samsung nokia iphone android google
  facebook linkedin instagram youtube twitter microsoft windows apple macbook linux ubuntu oracle cisco
  dragon monkey tiger lion eagle falcon phoenix panther cheetah elephant dolphin penguin horse horses puppy kitten
  dog cat bird chicken cookie cookies chocolate banana orange cherry peaches strawberry pepper ginger cheese coffee
  michael jennifer jessica michelle nicole daniel charlie thomas jordan hunter ashley amanda joshua matthew andrew
  anthony robert william alexander christian benjamin samantha elizabeth victoria alexandra maggie buster bailey
  shadow killer trustno1 ninja pirate warrior samurai soldier mustang corvette porsche ferrari mercedes toyota yamaha
  harley camaro chevy maverick ranger thunder lightning freedom america england london paris berlin ireland scotland
  iceland canada australia newyork chicago dallas boston yankees lakers cowboys steelers packers
  blink182 metallica nirvana slipknot guitar music rockstar rocknroll beatles eminem hello hellohello helloworld
  goodbye hiphop jesus jesuschrist christ heaven blessed faith grace god freeze fuckyou fuckoff asshole pussy
  biteme killme starfish diamond silver golden crystal purple yellow orange1 success money dollar lucky lucky777
  cowboy marine creative garfield snoopy scooby mickey mickeymouse donald simpson homer barney jasmine aladdin
  alphabet 1password mustang1 access14 ncc1701 thx1138 bond007 jamesbond secret123 private public security secure
  company office business sales service support helpdesk account customer operator parking parkinglot carpark garage
  gateway barrier gate camera cameras kiosk hlid hlidhlid whitelist visitor vehicle licenseplate numberplate
  correcthorsebatterystaple
  lykilorð lykilord lykilorðið lykilordid lykill lyklaord leyniord leyniorð leyndarmál leyndarmal aðgangur adgangur
  aðgangsorð adgangsord innskráning innskraning notandi notandanafn stjórnandi stjornandi kerfisstjóri kerfisstjori
  velkomin velkominn velkomnir hallóhalló hallo hallohallo halló góðandaginn godandaginn prófun profun próf prufa
  prufaprufa breyta breytamér breytamer ísland island islandi áframísland aframisland ísland123 reykjavík reykjavik
  hafnarfjörður hafnarfjordur kópavogur kopavogur akureyri keflavík keflavik garðabær gardabaer selfoss akranes
  ísafjörður isafjordur egilsstaðir egilsstadir húsavík husavik vestmannaeyjar grindavík grindavik mosfellsbær
  mosfellsbaer siglufjörður siglufjordur sauðárkrókur saudarkrokur esjan hekla katla eyjafjallajökull eyjafjallajokull
  geysir gullfoss þingvellir thingvellir bláalónið blaalonid snæfellsjökull snaefellsjokull vatnajökull vatnajokull
  elskan elska elskaþig elskathig égelskaþig egelskathig ástin astin ástinmín astinmin elskanmín elskanmin
  pabbi mamma pabbiogmamma mammaogpabbi amma afi ammaogafi fjölskylda fjolskylda vinur vinir bróðir systir
  hestur hestar hestamennska hundur hundurinn kisa kisan kisukis köttur kottur kötturinn lundi lundinn fiskur ísbjörn
  isbjorn hrafn hrafninn lóan heiðlóa sólskin solskin sólin solin sumar sumarið sumarid vetur veturinn haust vorið
  jólin jolin gleðilegjól gledilegjol jólasveinn jolasveinn grýla gryla þorrablót thorrablot
  mánudagur manudagur þriðjudagur thridjudagur miðvikudagur midvikudagur fimmtudagur föstudagur fostudagur
  laugardagur sunnudagur janúar januar febrúar februar mars apríl maí júní júlí juli ágúst agust október nóvember
  desember fótbolti fotbolti handbolti körfubolti korfubolti fimleikar valur fram breiðablik breidablik stjarnan
  fylkir víkingur vikingur vikingar fjölnir fjolnir grótta haukar þróttur throttur knattspyrna
  guðmundur gudmundur sigurður sigurdur gunnar ólafur olafur einar kristján kristjan magnús magnus stefán stefan
  jóhann johann björn bjorn árni arni helgi halldór halldor jónas jonas anna guðrún gudrun kristín kristin sigríður
  sigridur margrét margret helga sigrún sigrun ingibjörg ingibjorg jóhanna johanna maría maria elín katrín katrin
  hildur ragnheiður ragnheidur jón jónsson jonsson jónsdóttir jonsdottir
  bílastæði bilastaedi bílastæðahús bilastaedahus bílageymsla bilageymsla bíllinn billinn hliðið hlidid hlið
  bílnúmer bilnumer stöðumælir stodumaelir flugstöð flugvöllur flugvollur
  harpa skyr skyrskyr appelsín appelsin kókómjólk kokomjolk opal pylsa pylsur brennivín brennivin bjórbjór
  þettareddast thettareddast jæja jaeja fokkoff fokkyou helvíti helviti andskotinn djöfull
  `
    .trim()
    .split(/\s+/),
);
