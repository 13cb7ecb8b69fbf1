import type { OfficeLanguage as Language } from '@hlid/protocol/language';
import { html } from 'hono/html';
import { type Html, paperPage } from '../http/paper-page.ts';

const WORDS = {
  is: {
    title: 'Nýtt lykilorð',
    password: 'Nýja lykilorðið',
    hint: 'Minnst 8 stafir.',
    set: 'Vista lykilorðið',
    done: 'Lykilorðið hefur verið vistað.',
    doneText: 'Þú getur skráð þig inn með því núna. Fyrri innskráningar gilda ekki lengur.',
    expired: 'Hlekkurinn gildir ekki lengur.',
    expiredText: 'Hlekkur gildir einu sinni og í 15 mínútur. Biddu um nýjan þar sem þú skráir þig inn.',
  },
  en: {
    title: 'New password',
    password: 'The new password',
    hint: 'At least 8 characters.',
    set: 'Save the password',
    done: 'The password is saved.',
    doneText: 'You can log in with it now. Earlier logins have ended.',
    expired: 'This link is no longer valid.',
    expiredText: 'A link works once, and for 15 minutes. Request a new one where you log in.',
  },
} as const;

/** The form in which somebody sets a new password who has followed the link of a mail. @param mistakes of the last try */
export function passwordPage(language: Language, token: string, mistakes: readonly string[] = []): Html {
  const words = WORDS[language];
  return page(
    language,
    html`${mistakes.map((mistake) => html`<p class="standing failed" role="alert">${mistake}</p>`)}
      <form method="post" action="recover">
        <input type="hidden" name="token" value="${token}">
        <input type="hidden" name="lang" value="${language}">
        <p><label for="password">${words.password}</label></p>
        <p><input id="password" name="password" type="password" autocomplete="new-password" minlength="8" required aria-describedby="hint"></p>
        <p id="hint">${words.hint}</p>
        <p><button type="submit">${words.set}</button></p>
      </form>`,
  );
}

export function passwordSetPage(language: Language): Html {
  const { done, doneText } = WORDS[language];
  return page(language, html`<p class="standing paid">${done}</p><p>${doneText}</p>`);
}

export function linkExpiredPage(language: Language): Html {
  const { expired, expiredText } = WORDS[language];
  return page(language, html`<p class="standing checking">${expired}</p><p>${expiredText}</p>`);
}

function page(language: Language, body: Html): Html {
  const { title } = WORDS[language];
  return paperPage(language, { title, heading: title, print: null, languages: null }, body);
}
