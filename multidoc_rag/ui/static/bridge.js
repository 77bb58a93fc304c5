// One listener on the document turns clicks inside messages into events that Python hears:
// 'cite' opens a page, 'act' does something with an answer, 'suggest' asks a prepared question.
const show = (pane) => { const desk = document.querySelector('#desk'); if (desk) desk.dataset.pane = pane; };
const typing = (node) => node && (node.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(node.tagName));

// the reason of a verdict, on hover, on keyboard focus and on a tap
const tip = document.createElement('div');
tip.className = 'tip';
tip.hidden = true;
tip.setAttribute('aria-hidden', 'true');
document.body.append(tip);
let explained = null;
const explain = (mark) => {
  explained = mark;
  tip.hidden = !mark;
  if (!mark) return;
  const cut = mark.textContent.indexOf(': ');
  const head = document.createElement('b');
  head.textContent = cut < 0 ? mark.textContent : mark.textContent.slice(0, cut);
  tip.replaceChildren(head, cut < 0 ? '' : mark.textContent.slice(cut + 2));
  tip.dataset.verdict = [...mark.classList].find((name) => name !== 'verdict') || '';
  const at = mark.getBoundingClientRect();
  tip.style.left = `${Math.max(8, Math.min(at.left - 12, innerWidth - tip.offsetWidth - 8))}px`;
  const below = at.bottom + 6;
  tip.style.top = `${below + tip.offsetHeight < innerHeight ? below : at.top - tip.offsetHeight - 6}px`;
};
const markOf = (event) => (event.target instanceof Element ? event.target.closest('button.verdict') : null);
document.addEventListener('mouseover', (event) => { if (markOf(event)) explain(markOf(event)); });
document.addEventListener('mouseout', (event) => { if (markOf(event)) explain(null); });
document.addEventListener('focusin', (event) => explain(markOf(event)));
// a mark that is reached by keyboard may be scrolled into view: its reason goes along
document.addEventListener('scroll', () => {
  if (!explained) return;
  const at = explained.getBoundingClientRect();
  const here = at.top > 0 && at.bottom < innerHeight && (explained === document.activeElement || explained.matches(':hover'));
  explain(here ? explained : null);
}, true);

document.addEventListener('click', (event) => {
  const target = event.target instanceof Element ? event.target : null;
  if (!target) return;
  const verdict = target.closest('button.verdict');
  if (verdict) { event.preventDefault(); explain(verdict); return; }
  explain(null);
  const cite = target.closest('button.cite');
  if (cite && cite.value) {
    event.preventDefault();
    document.querySelectorAll('.cite.on').forEach((other) => other.classList.remove('on'));
    cite.classList.add('on');
    if (cite.closest('#ledger')) [...document.querySelectorAll('#tabs button[role=tab]')].find((tab) => tab.textContent.trim() === 'Ask')?.click();
    show('page');
    trigger('cite', { id: cite.value });
    return;
  }
  const suggest = target.closest('button.suggest');
  if (suggest) {
    event.preventDefault();
    trigger('suggest', { which: suggest.value });
    return;
  }
  const act = target.closest('button.act');
  if (act) {
    event.preventDefault();
    if (act.value === 'copy') {
      const body = act.closest('.answer').querySelector('.body');
      const marks = [...body.querySelectorAll('.verdict')];
      marks.forEach((mark) => { mark.hidden = true; });
      navigator.clipboard.writeText(body.innerText).then(
        () => { act.textContent = 'Copied'; setTimeout(() => { act.textContent = 'Copy'; }, 1500); },
        () => { act.textContent = 'Copying is not allowed here'; });
      marks.forEach((mark) => { mark.hidden = false; });
    } else {
      trigger('act', { what: act.value });
      if (/^(up|down)\./.test(act.value)) act.textContent = 'Thank you';
    }
    return;
  }
  const pane = target.closest('button[data-pane]');
  if (pane) show(pane.dataset.pane);
  const theme = target.closest('button[data-theme-switch]');
  if (theme) {
    const dark = document.body.classList.toggle('dark');
    try { localStorage.setItem('multidoc-theme', dark ? 'dark' : 'light'); } catch (error) { console.debug(error); }
  }
});

document.addEventListener('keydown', (event) => {
  if (event.key === 'Escape') {
    if (!tip.hidden) { explain(null); return; }
    const stop = document.querySelector('#ask .stop-button');
    if (stop && stop.offsetParent) { stop.click(); return; }
    const close = document.querySelector('#page [data-close]');
    if (close) close.click();
    return;
  }
  if (typing(event.target) || event.ctrlKey || event.metaKey || event.altKey) return;
  const press = (selector) => {
    const button = document.querySelector(`#page ${selector}`);
    if (button && !button.disabled) { event.preventDefault(); button.click(); }
  };
  if (event.key === 'ArrowLeft') press('.tool[aria-label="Previous page"]');
  if (event.key === 'ArrowRight') press('.tool[aria-label="Next page"]');
  if (event.key === 'k' || event.key === '[') press('[aria-label="Previous citation"]');
  if (event.key === 'j' || event.key === ']') press('[aria-label="Next citation"]');
  if (event.key === '+' || event.key === '=') press('[data-zoom="1"]');
  if (event.key === '-') press('[data-zoom="-1"]');
  if (event.key === '0') press('[data-zoom="0"]');
  if (event.key === '/') { const box = document.querySelector('#ask textarea'); if (box) { event.preventDefault(); box.focus(); } }
});

// a new question goes to the top of the pane, so that its answer is read from the beginning
let asked = 0;
const follow = () => {
  const questions = document.querySelectorAll('#chat .asked');
  if (questions.length > asked) {
    const last = questions[questions.length - 1];
    const scroller = last.closest('.bubble-wrap');
    if (scroller) scroller.scrollTo({ top: scroller.scrollTop + last.getBoundingClientRect().top - scroller.getBoundingClientRect().top - 18 });
  }
  asked = questions.length;
};
const chat = document.querySelector('#chat');
if (chat) new MutationObserver(follow).observe(chat, { childList: true, subtree: true });
