import type { OfficeLanguage as Language } from '@hlid/protocol/base/language';
import { MIN_PASSWORD_CHARACTERS } from '@hlid/protocol/base/password-length';
import { html } from 'hono/html';
import { type Html, paperPage } from '../../platform/http/paper-page.ts';
import { ACCOUNT_WORDS } from './account-words.ts';

/** The form for setting a new password after following the link of a mail. @param mistakes of the last try */
export function passwordPage(language: Language, token: string, mistakes: readonly string[] = []): Html {
  const words = ACCOUNT_WORDS[language].page;
  return page(
    language,
    html`${mistakes.map((mistake) => html`<p class="standing failed" role="alert">${mistake}</p>`)}
      <form method="post" action="recover">
        <input type="hidden" name="token" value="${token}">
        <input type="hidden" name="lang" value="${language}">
        <label for="password">${words.password}</label>
        <input id="password" name="password" type="password" autocomplete="new-password" minlength="${MIN_PASSWORD_CHARACTERS}" required autofocus aria-describedby="hint">
        <p id="hint" class="hint">${words.hint({ characters: MIN_PASSWORD_CHARACTERS })}</p>
        <button type="submit">${words.set}</button>
      </form>`,
  );
}

export function passwordSetPage(language: Language): Html {
  const { done, doneText, logIn } = ACCOUNT_WORDS[language].page;
  return page(
    language,
    html`<p class="standing paid">${done}</p><p>${doneText}</p><p><a class="act" href="console/">${logIn}</a></p>`,
  );
}

export function linkExpiredPage(language: Language): Html {
  const { expired, expiredText, logIn } = ACCOUNT_WORDS[language].page;
  return page(
    language,
    html`<p class="standing checking">${expired}</p><p>${expiredText}</p><p><a class="act" href="console/">${logIn}</a></p>`,
  );
}

function page(language: Language, body: Html): Html {
  const { title } = ACCOUNT_WORDS[language].page;
  return paperPage(language, { title, heading: title, print: null, languages: null }, body);
}
