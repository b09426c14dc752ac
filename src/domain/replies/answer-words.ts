/**
 * What people write to stop messages, and to get them again. A source is where a word is in use as such an answer. Words of
 * Hausa, Yoruba, Igbo, French and Pidgin are also taken without their marks, as most phones type them.
 */
const sources = {
  required: 'docs.aws.amazon.com, “Required opt-out keywords”, read 2026-11-23',
  usual: 'braze.com, “Opt-in and opt-out keywords”, read 2026-11-23',
  law: '89 FR 15756, 47 CFR 64.1200(a)(10), read 2026-11-29',
  canada: 'docs.aws.amazon.com, “French compliance keywords”, read 2026-11-23',
  hausaReplies: 'a Nigerian program’s public list of replies that turn messages off and on, read 2026-11-23',
  cancelReplies: 'a Nigerian bank assistant’s public list of replies that cancel, read 2026-11-23',
  ours: 'written for this table, not confirmed by a speaker, 2026-11-29',
} as const;

export type StopAnswer = 'stop' | 'start';

interface AnswerWords {
  answer: StopAnswer;
  /**
   * `clear`: can mean nothing else. `everyday`: people also write it about an order or a visit, so it stops only alone.
   * Otherwise the word stops together with *me*, *these messages* and the like.
   */
  weight?: 'clear' | 'everyday' | undefined;
  language: 'English' | 'French' | 'Hausa' | 'Yoruba' | 'Igbo' | 'Pidgin';
  words: readonly string[];
  source: string;
}

/** Reads phrases with commas between them. */
const phrases = (...lists: readonly string[]) => lists.flatMap((list) => list.split(', '));
/** Puts each of the first phrases before each of the others. */
const joined = (firsts: string, others: string) =>
  phrases(firsts).flatMap((first) => phrases(others).map((other) => `${first} ${other}`));

const stops = (
  language: AnswerWords['language'],
  weight: AnswerWords['weight'],
  source: string,
  ...lists: readonly string[]
): AnswerWords => ({ answer: 'stop', weight, language, words: phrases(...lists), source });

/** *Yes* isn’t in the list: it answers other questions too. */
export const answerWords: readonly AnswerWords[] = [
  { answer: 'start', language: 'English', words: ['start', 'unstop'], source: sources.usual },
  { answer: 'start', language: 'Hausa', words: ['fara', 'ci gaba'], source: sources.hausaReplies },
  stops('English', undefined, sources.usual, 'stop, stopall'),
  stops('English', 'clear', sources.required, 'unsubscribe, opt-out, optout'),
  stops('English', 'everyday', sources.required, 'cancel, end, quit, remove'),
  stops('English', 'everyday', sources.law, 'revoke'),
  stops('English', undefined, sources.ours, 'cease, cease and desist, discontinue'),
  stops('English', 'everyday', sources.ours, 'revoked, exit, terminate, deactivate'),
  stops(
    'English',
    'clear',
    sources.ours,
    'unsub, unscribe, un-subscribe, unsubscribed, unsubscribing, unsubscription, opted-out, opting out, opt me out, opt us out',
    'to be removed, take my number off, take off my number, take my name off, take me off, take us off, get me off',
    ...joined('take me out of, take my number out of', 'list, the list, this list, your list'),
    'add me to dnd, put me on dnd, put my number on dnd, activate dnd',
    ...joined(
      'revoke, revoked, revoking, withdraw, withdrawn, withdrawing',
      'consent, my consent, the consent, permission, my permission',
    ),
    ...joined('consent, my consent', 'revoked, is revoked, withdrawn, is withdrawn'),
    ...joined(
      'i have, i’ve, have',
      'opted out, unsubscribed, revoked consent, revoked my consent, withdrawn my consent',
    ),
    ...joined(
      'remove, delete, erase, lose, blacklist, deregister, delist, expunge',
      'me, us, my number, my phone number, my no, my name, my contact, my details, my data, my line, this number, this line',
    ),
    ...joined('remove from', 'list, the list, this list, your list, mailing list, your mailing list'),
    ...joined('stop', 'texting, messaging, spamming, contacting, disturbing me, bothering me, calling me'),
    ...joined('stop sending', 'me, us, messages, sms, texts'),
    ...joined(
      'don’t, don’t ever, dnt, do not, do not ever, never, never ever',
      'text me, message me, sms me, contact me, write me, write to me, spam me, disturb me, bother me, text us, ' +
        'message us, contact us, text or call me, call or text me, text my number, text this number, message this number, contact this number, contact my number, text my line',
    ),
  ),
  stops('French', undefined, sources.canada, 'arrêt'),
  stops(
    'French',
    undefined,
    sources.ours,
    'arrête, arrêter, arrêtez, d’arrêter, stoppe, stopper, stoppez, cesse, cesser, cessez, de cesser',
  ),
  stops('French', 'everyday', sources.ours, 'annuler, annulez, résilier, résiliation, fin, j’arrête'),
  stops(
    'French',
    'clear',
    sources.ours,
    'désabonner, désabonne, désabonnez, désabonnement, désinscrire, désinscris, désinscrivez, désinscription',
    'me retirer, me supprimer, m’enlever',
    'plus d’sms, n’écrivez plus, l’arrêt des sms, l’arrêt des messages, l’arrêt de vos messages',
    ...joined('ne', 'm’écrivez plus, me contactez plus, me textez plus, m’appelez plus, me dérangez plus'),
    ...joined(
      'supprimez, supprimer, retirez, retirer, enlevez, enlever, effacez, effacer',
      'moi, mon numéro, mon nom, mon contact, ce numéro',
    ),
  ),
  stops('Hausa', undefined, sources.hausaReplies, 'daina'),
  stops('Hausa', undefined, sources.cancelReplies, 'dakatar'),
  stops('Hausa', undefined, sources.ours, 'ku daina, ka daina, a daina, ku dakatar, a dakatar, ku bari'),
  stops('Hausa', 'everyday', sources.hausaReplies, 'tsaya, dakata'),
  stops('Hausa', 'everyday', sources.ours, 'a tsaya, ku tsaya, ku dakata'),
  stops(
    'Hausa',
    'clear',
    sources.ours,
    ...joined('cire, a cire, ku cire', 'ni, lambata, sunana'),
    ...joined(
      'kada, kar',
      'ku turo min, ka turo min, a turo min, ku aiko min, ka aiko min, ku tura min, ku dame ni, ku sake turo min, ' +
        'ka sake turo min, a sake turo min, ku sake aiko min, ku sake tura min, ku ƙara turo min, ku ƙara aiko min',
    ),
    ...joined('daina, ku daina', 'turo min, turo mini, tura min, aiko min, dame ni, damuna'),
  ),
  stops('Yoruba', undefined, sources.cancelReplies, 'dá dúró, dáwọ́dúró'),
  stops('Yoruba', undefined, sources.ours, 'dáwọ́ dúró, jáwọ́, dẹ́kun'),
  stops('Yoruba', 'everyday', sources.ours, 'dúró, ẹ dúró'),
  stops(
    'Yoruba',
    'clear',
    sources.ours,
    'yọ mí kúrò, yọ nọ́mbà mi kúrò, yọ orúkọ mi kúrò, má yọ mí lẹ́nu mọ́, má fi ránṣẹ́ mọ́, má ránṣẹ́ mọ́, dá fífi ránṣẹ́ dúró',
    'má fi ránṣẹ́ sí mi, má ránṣẹ́ sí mi, má ṣe ránṣẹ́ sí mi, má ṣe fi ránṣẹ́ sí mi',
    ...joined('má fi, má ṣe fi', 'ìfiránṣẹ́ ránṣẹ́, àtẹ̀jíṣẹ́ ránṣẹ́, message ránṣẹ́, sms ránṣẹ́'),
    // The verb has two parts, with its object between them.
    ...joined(
      'dáwọ́, dá, dáwọ́ àwọn, dá àwọn',
      'ìfiránṣẹ́ dúró, ìfiránṣẹ́ yìí dúró, ìfiránṣẹ́ yín dúró, ìfiránṣẹ́ wọ̀nyí dúró, àtẹ̀jíṣẹ́ dúró, àtẹ̀jíṣẹ́ yìí dúró, ' +
        'àtẹ̀jíṣẹ́ yín dúró, àtẹ̀jíṣẹ́ wọ̀nyí dúró, message dúró, messages dúró, message yín dúró, sms dúró, sms yín dúró',
    ),
    'dáwọ́ fífi ránṣẹ́ dúró, dáwọ́ fífi ìfiránṣẹ́ ránṣẹ́ dúró',
  ),
  stops('Igbo', undefined, sources.cancelReplies, 'kwụsị'),
  stops('Igbo', undefined, sources.ours, 'kwụsịnụ'),
  stops(
    'Igbo',
    'clear',
    sources.ours,
    'wepụ m, wepụ aha m, wepụ nọmba m, wepụ akara m, wepụnụ m, ezitela m ozi, ezigala m ozi, ezitekwala m ozi',
    'ezitela ozi, ezigala ozi, ezitekwala ozi, ezitekwalanụ m ozi',
  ),
  stops('Pidgin', undefined, sources.cancelReplies, 'no do again'),
  stops('Pidgin', undefined, sources.ours, 'una stop, make una stop, i no do again'),
  stops('Pidgin', 'everyday', sources.cancelReplies, 'commot'),
  stops(
    'Pidgin',
    'clear',
    sources.ours,
    ...joined('commot, comot', 'me, my number, my name'),
    ...joined(
      'no, no dey, make una no, make una no dey',
      'text me, message me, call me, disturb me, worry me',
    ),
  ),
];

/** What people write beside such words, and what it does to their meaning. */
export const besides = {
  /** Changes nothing. */
  courtesy: phrases(
    'please, pls, plz, kindly, thanks, thank you, thank u, and thanks, and thank you, thx, tnx, ty, sorry',
    'hi, hello, dear, sir, ma, madam, good morning, good afternoon, good evening, good day, god bless, god bless you',
    'regards, kind regards, best regards, warm regards, best wishes, yours faithfully, yours sincerely, sincerely, cheers',
    'customer care, customer service, support, team, sent from my iphone, sent from my phone',
    'now, right now, right away, immediately, at once, from now on, from today, i beg, i beg you',
    'svp, stp, s’il vous plaît, s’il te plaît, prière, merci, bonjour, bonsoir, maintenant, veuillez, je vous prie, cordialement',
    'abeg, ejor, oga, jare, jor, joor, don Allah, dan Allah, nagode, na gode, mun gode, yanzu',
    'ẹ dákun, dákun, ẹ jọ̀ọ́, ẹjọ̀ọ́, jọ̀ọ́, jọ̀wọ́, ẹ jọ̀wọ́, ẹjọ̀wọ́, ẹ ṣé, ẹṣé, o ṣé, biko, daalụ, imela, ugbu a, ugbua, ozugbo',
  ),
  /** Says that it is about messages. */
  messages: phrases(
    'sms, message, messages, msg, msgs, text, texts, txt, the sms, the message, the messages, the texts',
    'send, sending, texting, txting, messaging, receive, receiving, getting, contacting, calling, notifying',
    'spam, spamming, disturbing, bothering, harassing, pestering, nonsense, rubbish, my phone, my line',
    'promo, promos, promotion, promotions, ad, ads, the ads, adverts, advert, marketing, newsletter, newsletters',
    'system, your system, your records, your contacts, your contact list, broadcast list, your broadcast list',
    ...joined(
      'the',
      'promo, promos, promotions, alert, alerts, adverts, spam, notifications, updates, reminders',
    ),
    'alerts, notifications, updates, reminders, broadcast, broadcasts, this line, your database',
    'your list, ur list, the list, this list, mailing list, your mailing list, for your list, for this list',
    'una list, for una list, votre liste, vos listes, la liste, jerinku, jerin ku, ndepụta, àkójọ',
    'm’envoyer, m’écrire, me contacter, publicité, publicités, pub, pubs, recevoir, rien',
    ...['', 'd’', 'l’'].flatMap((elided) =>
      phrases(
        'envoi, envois, envoyer, écrire, appels, alerte, alertes, annonces, offre, offres, infos, emails, e-mails',
      ).map((word) => `${elided}${word}`),
    ),
    'd’sms, contacter',
    'saƙo, saƙonni, saƙon, saƙonku, saƙonka, saƙonnin, saƙonninku, saƙonninka, sakwanni, sakwanninku, turo, tura, turawa, aiko, damuna',
    'ìfiránṣẹ́, àtẹ̀jíṣẹ́, ozi, izi, izigara, izitere, iziga, izipu, izite',
  ),
  /** Keeps what an answer means, unless its word is an everyday one. */
  objects: phrases(
    'me, us, it, this, these, that, those, my, your, ur, to, of, from, a, all, any, every, everything, number',
    'more, anymore, again, already, just, forever, permanently, for good, ok, okay, so, i said',
    'no thanks, no thank you, am, una, o, oo, oh, na, moi, se, de, des, les, vos, votre, ces, ce, ça, tout, tous, aux, jamais',
    'hereby, further, dis, ds, d, bulk, promotional, annoying, unwanted, au, kuma, vous, ni, min, mini, mani, mun, da, ku, ka, wannan, waɗannan, duk, haka, daga, ẹ, mi, mọ́, sí, nínú, yín, àwọn, yìí',
    'ya, m, ọzọ, gị, unu',
  ),
  /** Turns it into a wish or a question, which may be about something else unless it names messages. */
  wishes: phrases(
    'i, im, id, we, you, u, can, could, would, will, want, wanna, wish, like, need, should, must, people, guys',
    'how, do, be, yes, make, dey, wan, subscription, service, reply, get, see, seeing, asked, told, can’t you, won’t you, why don’t you',
    'mo fẹ́ kí, je, veux, voudrais, souhaite, souhaiterais, aimerais, j’aimerais, désire, demande, ina so',
  ),
  /** Asks for an end only together with what names messages. */
  ends: phrases(
    'no sms, no texts, no messages, don’t text, do not text, don’t contact, do not contact',
    'dnt send, don’t need, do not need, no more, don’t send, do not send, never send, don’t want, do not want, don’t wish, do not wish, want no',
    'no longer want, no longer wish, no longer need',
    'no send, no dey send, make una no send, make una no dey send, i no want, i no wan, e don do',
    'ne plus, plus de, plus aucun, plus jamais, ne m’envoyez plus, n’envoyez plus, ne m’envoyez pas',
    ...joined('ne', 'veux plus, veux pas, souhaite plus, souhaite pas, désire plus, désire pas'),
    'n’en veux plus, veux plus recevoir, bana so, ba na so, ban so, bama so, ba ma so, bana son, ba na son, ban son, bama son, ba ma son',
    'ba na buƙata, bana buƙata, ba na buƙatar, bana buƙatar',
    'mi ò fẹ́, achọghị m, a chọghị m, achọrọghị m',
  ),
  /** Turns an answer into its opposite. */
  nots: phrases(
    'no, not, don’t, dnt, didn’t, doesn’t, never, won’t, wouldn’t, can’t, cannot, couldn’t, shouldn’t, isn’t, haven’t',
    'without, ne, pas, kada, kar, má dúró, má dá, má dáwọ́, má dá dúró, má dáwọ́ dúró, má dáwọ́dúró, má jáwọ́',
  ),
  /** Contains such a word, and is about something else. */
  elsewhere: phrases(
    'non-stop, nonstop, bus stop, next stop, last stop, full stop, one-stop, pit stop, stop sign, stop light, stop over',
    'stop by, stopping by, stop at the, stop at my, stop at our, stop at a, stop working, arrêt de bus',
  ),
  /** A person has to read it. */
  doubts: phrases(
    'not interested, no longer interested, wrong number, leave me alone, leave me out, count me out, i want out',
    'don’t call me, do not call me, never call me, can’t unsubscribe, cannot unsubscribe, can’t opt out, forget my number, enough is enough',
    'do not disturb, don’t disturb, pas de sms, pas de pub, plus d’alertes, plus d’annonces, plus d’offres, pas intéressé, laissez-moi tranquille, hapụ m, hapụ m aka, ku rabu da ni, ya isa, ya isa haka',
    'ó tó, fi mí sílẹ̀, na gaji, i don tire, free me, forget me, dnd, block me, block my number, block my line, block this number',
  ),
} as const;
