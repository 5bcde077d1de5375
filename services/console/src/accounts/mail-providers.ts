/**
 * Domains at which strangers have mailboxes, one a person: what one of them takes must not count against the others. Forwarding services
 * are left out, because there a person has any number of addresses; so are subdomains, which some of these give to one person whole.
 */
const domains = `
gmail.com googlemail.com
outlook.com outlook.de outlook.fr outlook.es outlook.it outlook.jp outlook.com.br
hotmail.com hotmail.co.uk hotmail.de hotmail.fr hotmail.it hotmail.es hotmail.co.jp
live.com live.co.uk live.de live.fr live.it live.nl live.com.mx live.jp msn.com
yahoo.com yahoo.co.uk yahoo.de yahoo.fr yahoo.it yahoo.es yahoo.ca yahoo.in yahoo.co.in yahoo.co.id yahoo.co.jp
yahoo.com.br yahoo.com.ar yahoo.com.mx yahoo.com.au yahoo.com.tw yahoo.com.vn ymail.com rocketmail.com aol.com
icloud.com me.com mac.com
proton.me protonmail.com protonmail.ch pm.me tutanota.com tutanota.de tuta.com tuta.io fastmail.com fastmail.fm hey.com zoho.com
zohomail.com zohomail.eu zohomail.in mail.com email.com gmx.com gmx.net gmx.de gmx.at gmx.ch web.de freenet.de t-online.de posteo.de
posteo.net mailbox.org kolabnow.com runbox.com
mail.ru bk.ru inbox.ru list.ru yandex.ru yandex.com ya.ru rambler.ru ukr.net i.ua meta.ua
qq.com foxmail.com 163.com 126.com yeah.net sina.com sina.cn sohu.com aliyun.com 139.com 189.cn
naver.com hanmail.net daum.net nate.com kakao.com docomo.ne.jp ezweb.ne.jp au.com softbank.ne.jp i.softbank.jp nifty.com
orange.fr wanadoo.fr free.fr laposte.net sfr.fr neuf.fr bbox.fr libero.it virgilio.it tiscali.it alice.it tim.it tin.it
wp.pl o2.pl onet.pl op.pl interia.pl gazeta.pl seznam.cz email.cz centrum.cz azet.sk freemail.hu citromail.hu abv.bg mail.bg
uol.com.br bol.com.br terra.com.br ig.com.br rediffmail.com sapo.pt telenet.be skynet.be proximus.be ziggo.nl kpnmail.nl planet.nl
xs4all.nl bluewin.ch hispeed.ch chello.at aon.at telia.com online.no inbox.lv walla.co.il walla.com
comcast.net xfinity.com verizon.net att.net sbcglobal.net bellsouth.net cox.net charter.net spectrum.net earthlink.net juno.com
shaw.ca rogers.com sympatico.ca telus.net videotron.ca
btinternet.com btopenworld.com sky.com virginmedia.com ntlworld.com blueyonder.co.uk talktalk.net bigpond.com bigpond.net.au
optusnet.com.au iinet.net.au xtra.co.nz
`

export const mailProviders: readonly string[] = domains.split(/\s+/).filter(Boolean)
