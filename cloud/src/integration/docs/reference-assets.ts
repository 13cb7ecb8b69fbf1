/** The look of the reference: a sidebar and one long page; a narrow screen has the list of calls above it. */
export const REFERENCE_STYLE = `
:root {
  color-scheme: light dark;
  --paper: light-dark(#fff, #14171a);
  --raised: light-dark(#f3f5f7, #1d2125);
  --line: light-dark(#d5dae0, #353b42);
  --ink: light-dark(#1a1d21, #e8ebee);
  --quiet: light-dark(#56606b, #a5b0bb);
  --accent: light-dark(#0b5cad, #7cb8f5);
  --get: light-dark(#0b6b3a, #6fd19a);
  --post: light-dark(#0b5cad, #7cb8f5);
  --put: light-dark(#8a5000, #f0b860);
  --delete: light-dark(#b3261e, #ff9d94);
}
* { box-sizing: border-box; }
html { scroll-padding-top: 1rem; }
body { margin: 0; display: grid; grid-template-columns: 21rem minmax(0, 1fr); background: var(--paper); color: var(--ink); font: 1rem/1.5 system-ui, sans-serif; }
.side { position: sticky; top: 0; height: 100vh; display: flex; flex-direction: column; background: var(--raised); border-inline-end: 1px solid var(--line); }
header { padding: 1rem 1rem .75rem; }
nav { flex: 1; min-height: 0; overflow: auto; padding: .75rem 1rem; border-block-start: 1px solid var(--line); }
main { padding: 1rem clamp(1rem, 4vw, 3rem) 6rem; max-width: 62rem; }
main:focus { outline: none; }
a { color: var(--accent); }
h1, h2, h3, h4, .brand { line-height: 1.25; }
.brand { margin: 0 0 .75rem; font-weight: 600; font-size: 1.25rem; }
.brand small { color: var(--quiet); font-weight: 400; font-size: .8rem; }
.skip { position: absolute; left: -99rem; } .skip:focus { left: 1rem; top: 1rem; background: var(--paper); z-index: 2; padding: .5rem; }
label { font-size: .875rem; } #search { display: block; width: 100%; margin-block: .25rem; padding: .45rem .6rem; font: inherit; color: inherit; background: var(--paper); border: 1px solid var(--quiet); border-radius: 6px; }
#hits { margin: 0; min-height: 1.4em; font-size: .8125rem; color: var(--quiet); }
fieldset { border: 0; padding: 0; margin: .25rem 0 0; display: flex; gap: 1rem; font-size: .875rem; } legend { float: left; padding: 0; margin-inline-end: 1rem; color: var(--quiet); }
nav ul { list-style: none; margin: 0; padding: 0; } nav .group { margin-block-end: .75rem; } nav .group > a { font-weight: 600; color: inherit; text-decoration: none; }
nav li li a { display: grid; grid-template-columns: 3.75rem minmax(0, 1fr); padding: .15rem .25rem; color: inherit; text-decoration: none; font: .8125rem/1.5 ui-monospace, monospace; border-radius: 4px; overflow-wrap: anywhere; }
nav a:hover, nav a[aria-current] { background: var(--line); }
.method { display: inline-block; min-width: 3.4rem; font: 600 .75rem/1.5 ui-monospace, monospace; }
.get { color: var(--get); } .post { color: var(--post); } .put { color: var(--put); } .delete { color: var(--delete); }
h2 { margin-block: 3rem 1rem; border-block-end: 1px solid var(--line); padding-block-end: .25rem; }
h3 a { color: inherit; text-decoration: none; } h3 a:hover { text-decoration: underline; }
h4 { margin-block: 1.25rem .25rem; }
article { padding-block-end: 1.5rem; margin-block-end: 1.5rem; border-block-end: 1px solid var(--line); }
article:target h3 { text-decoration: underline; text-decoration-color: var(--accent); text-underline-offset: .3em; }
.route { margin-block: 0; } code, pre { font: .875em/1.5 ui-monospace, monospace; }
.fields, .answers { list-style: none; margin: 0; padding: 0; } .fields .fields { margin-inline-start: .25rem; padding-inline-start: 1rem; border-inline-start: 2px solid var(--line); }
.fields li, .answers li { padding-block: .3rem; overflow-wrap: anywhere; } .fields p { margin: 0; }
.name { font-weight: 600; } .type, .note { color: var(--quiet); font-size: .875rem; } .note { font-style: italic; }
summary { cursor: pointer; color: var(--accent); font-size: .875rem; }
.sample { margin: 1rem 0; border: 1px solid var(--line); border-radius: 6px; overflow: hidden; } figcaption { display: flex; justify-content: space-between; align-items: center; background: var(--raised); padding: .35rem .75rem; font-size: .8125rem; }
.sample pre { margin: 0; padding: .75rem; overflow: auto; max-height: 26rem; }
[data-sample="curl"] .typescript, [data-sample="typescript"] .curl { display: none; }
button { font: inherit; color: inherit; background: var(--paper); border: 1px solid var(--quiet); border-radius: 4px; padding: .1rem .6rem; cursor: pointer; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
[hidden] { display: none !important; }
@media (max-width: 50rem) {
  body { display: block; }
  .side { position: static; height: auto; border-inline-end: 0; }
  nav { max-height: 40vh; border-block-end: 1px solid var(--line); }
}
@media print { .side { display: none; } body { display: block; } }
`;

/** Search, the language of the samples, copying. The page is whole without it. */
export const REFERENCE_SCRIPT = `
const root = document.documentElement;
const search = document.getElementById('search');
const hits = document.getElementById('hits');
const calls = [...document.querySelectorAll('article.call')].map((article) => ({
  article,
  link: document.querySelector('[data-call="' + article.id + '"]'),
  text: article.textContent.toLowerCase(),
}));
const schemas = [...document.querySelectorAll('article.schema')].map((article) => ({ article, text: article.textContent.toLowerCase() }));

function show() {
  const words = search.value.toLowerCase().split(/\\s+/).filter(Boolean);
  const matches = ({ text }) => words.every((word) => text.includes(word));
  let found = 0;
  for (const call of calls) {
    const shown = matches(call);
    call.article.hidden = call.link.hidden = !shown;
    if (shown) found += 1;
  }
  for (const schema of schemas) schema.article.hidden = !matches(schema);
  for (const group of document.querySelectorAll('nav .group')) {
    const links = [...group.querySelectorAll('li')];
    group.hidden = links.length > 0 && links.every((link) => link.hidden);
  }
  for (const group of document.querySelectorAll('main .group')) {
    group.hidden = [...group.querySelectorAll('article')].every((article) => article.hidden);
  }
  hits.textContent = words.length === 0 ? '' : found === 1 ? '1 call' : found + ' calls';
}
search.addEventListener('input', show);
search.form.addEventListener('submit', (event) => {
  event.preventDefault();
  document.querySelector('nav li[data-call]:not([hidden]) a')?.click();
});
addEventListener('keydown', (event) => {
  if (event.key !== '/' || event.target instanceof HTMLInputElement) return;
  event.preventDefault();
  search.focus();
});
// A link to a call that the search has hidden shows it.
addEventListener('hashchange', () => {
  const target = document.getElementById(location.hash.slice(1));
  if (!target?.closest('[hidden]')) return;
  search.value = '';
  show();
  target.scrollIntoView();
});

function choose(language) {
  root.dataset.sample = language;
  for (const radio of document.querySelectorAll('input[name=sample]')) radio.checked = radio.value === language;
}
document.getElementById('languages').addEventListener('change', (event) => {
  choose(event.target.value);
  localStorage.setItem('hlid-sample', event.target.value);
});
choose(localStorage.getItem('hlid-sample') === 'typescript' ? 'typescript' : 'curl');

document.addEventListener('click', async (event) => {
  if (!event.target.matches('.copy')) return;
  const button = event.target;
  await navigator.clipboard.writeText(button.closest('figure').querySelector('code').textContent);
  button.textContent = 'Copied';
  setTimeout(() => (button.textContent = 'Copy'), 2000);
});

// Only the list scrolls: on a narrow screen scrollIntoView would move the page itself.
const list = document.querySelector('nav');
function keepInView(link) {
  const { top, bottom } = list.getBoundingClientRect();
  const at = link.getBoundingClientRect();
  if (at.top < top) list.scrollTop -= top - at.top + 8;
  else if (at.bottom > bottom) list.scrollTop += at.bottom - bottom + 8;
}

// The call that is read now is marked in the list.
const seen = new IntersectionObserver(
  (entries) => {
    for (const { target, isIntersecting } of entries) {
      if (!isIntersecting) continue;
      document.querySelector('nav a[aria-current]')?.removeAttribute('aria-current');
      const link = document.querySelector('[data-call="' + target.id + '"] a');
      link?.setAttribute('aria-current', 'true');
      if (link) keepInView(link);
    }
  },
  { rootMargin: '-5% 0px -85% 0px' },
);
for (const { article } of calls) seen.observe(article);
`;
