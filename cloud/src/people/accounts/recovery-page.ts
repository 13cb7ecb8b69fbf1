import type { OfficeLanguage as Language } from '@hlid/protocol/base/language';
import { MIN_PASSWORD_CHARACTERS } from '@hlid/protocol/base/password-length';
import { html } from 'hono/html';
import { type Html, paperPage } from '../../platform/http/paper-page.ts';

const WORDS = {
  is: {
    title: 'Nýtt lykilorð',
    password: 'Nýja lykilorðið',
    hint: (characters: number) => `Minnst ${characters} stafir.`,
    set: 'Vista lykilorðið',
    done: 'Lykilorðið hefur verið vistað.',
    doneText: 'Þú getur skráð þig inn með því núna. Fyrri innskráningar gilda ekki lengur.',
    expired: 'Hlekkurinn gildir ekki lengur.',
    expiredText:
      'Hlekkur gildir einu sinni og aðeins um tíma. Veldu „Gleymt lykilorð“ þar sem þú skráir þig inn til að fá nýjan.',
    logIn: 'Skrá inn',
  },
  en: {
    title: 'New password',
    password: 'The new password',
    hint: (characters: number) => `At least ${characters} characters.`,
    set: 'Save the password',
    done: 'The password is saved.',
    doneText: 'You can log in with it now. Earlier logins have ended.',
    expired: 'This link is no longer valid.',
    expiredText:
      'A link works once, and for some time only. Choose "Forgot password" where you log in to get a new one.',
    logIn: 'Log in',
  },
} as const;

/** The form for setting a new password after following the link of a mail. @param mistakes of the last try */
export function passwordPage(language: Language, token: string, mistakes: readonly string[] = []): Html {
  const words = WORDS[language];
  return page(
    language,
    html`${mistakes.map((mistake) => html`<p class="standing failed" role="alert">${mistake}</p>`)}
      <form method="post" action="recover">
        <input type="hidden" name="token" value="${token}">
        <input type="hidden" name="lang" value="${language}">
        <label for="password">${words.password}</label>
        <input id="password" name="password" type="password" autocomplete="new-password" minlength="${MIN_PASSWORD_CHARACTERS}" required autofocus aria-describedby="hint">
        <p id="hint" class="hint">${words.hint(MIN_PASSWORD_CHARACTERS)}</p>
        <button type="submit">${words.set}</button>
      </form>`,
  );
}

export function passwordSetPage(language: Language): Html {
  const { done, doneText, logIn } = WORDS[language];
  return page(
    language,
    html`<p class="standing paid">${done}</p><p>${doneText}</p><p><a class="act" href="console/">${logIn}</a></p>`,
  );
}

export function linkExpiredPage(language: Language): Html {
  const { expired, expiredText, logIn } = WORDS[language];
  return page(
    language,
    html`<p class="standing checking">${expired}</p><p>${expiredText}</p><p><a class="act" href="console/">${logIn}</a></p>`,
  );
}

function page(language: Language, body: Html): Html {
  const { title } = WORDS[language];
  return paperPage(language, { title, heading: title, print: null, languages: null }, body);
}
