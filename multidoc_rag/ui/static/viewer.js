// The page viewer: turning pages is Python's, zoom and scrolling to the quote are done here.
let zoom = 1;
let last = '';
let back = false;

const apply = () => {
  const sheet = element.querySelector('.sheet');
  if (sheet) sheet.style.width = `${Math.round(zoom * 100)}%`;
};
const settle = () => {
  const viewer = element.querySelector('.viewer');
  element.closest('#desk').dataset.viewing = viewer && !viewer.classList.contains('none') ? '1' : '0';
  apply();
  const pill = viewer && viewer.dataset.pill;
  if (pill) document.querySelectorAll('button.cite').forEach((cite) => cite.classList.toggle('on', cite.value === pill));
  const scroll = element.querySelector('.scroll');
  const sheet = element.querySelector('.sheet');
  if (!scroll || !sheet) return;
  const mark = sheet.querySelector('.mark:not(.other)');
  const here = `${viewer.dataset.id} ${viewer.dataset.page} ${mark ? mark.getAttribute('style') || mark.textContent : ''}`;
  if (here === last && !back) return;
  back = false;
  last = here;
  const top = mark ? mark.getBoundingClientRect().top - sheet.getBoundingClientRect().top : 0;
  const left = mark ? mark.getBoundingClientRect().left - sheet.getBoundingClientRect().left : 0;
  scroll.scrollTo({ top: Math.max(0, top - scroll.clientHeight / 3), left: Math.max(0, left - 40), behavior: 'auto' });
};

element.addEventListener('click', (event) => {
  const button = event.target.closest('button, .mark.other');
  if (!button) return;
  if (button.dataset.step) { back = true; trigger('step', { to: Number(button.dataset.step) }); }
  if (button.dataset.open) trigger('open', { id: button.dataset.open });
  if (button.dataset.go) trigger('go', { page: Number(button.dataset.go) });
  if (button.dataset.zoom) {
    const step = Number(button.dataset.zoom);
    zoom = step === 0 ? 1 : Math.min(4, Math.max(0.5, zoom * (step > 0 ? 1.25 : 0.8)));
    apply();
  }
  if ('close' in button.dataset) { document.querySelector('#desk').dataset.pane = 'ask'; trigger('shut', {}); }
});
element.addEventListener('submit', (event) => {
  event.preventDefault();
  const field = event.target.querySelector('input[type=password]');
  if (field && field.value) trigger('unlock', { password: field.value });
  if (field) field.value = '';
});
watch('value', () => requestAnimationFrame(settle));
settle();
