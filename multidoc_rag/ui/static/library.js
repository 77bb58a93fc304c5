// The documents, the files on their way and the kept conversations: every button says what it does in data-do.
const EVENTS = { open: 'open', remove: 'remove', resume: 'resume', forget: 'forget', new: 'new',
  cancel: 'cancel', dismiss: 'dismiss', retry: 'retry', replace: 'replace', 'cancel-all': 'cancel', 'dismiss-all': 'dismiss' };

element.addEventListener('click', (event) => {
  const button = event.target.closest('button[data-do]');
  if (!button) return;
  const what = button.dataset.do;
  const row = button.closest('li');
  if (what === 'ask-remove') { row.classList.add('asking'); row.querySelector('.danger').focus(); return; }
  if (what === 'keep') { row.classList.remove('asking'); row.querySelector('.tool').focus(); return; }
  if (what === 'open') document.querySelector('#desk').dataset.pane = 'page';
  if (what === 'resume' || what === 'new') document.querySelector('#desk').dataset.pane = 'ask';
  if (EVENTS[what]) trigger(EVENTS[what], { id: button.dataset.id || '', key: button.dataset.key || '' });
});

element.addEventListener('change', (event) => {
  const box = event.target.closest('input[type=checkbox]');
  if (!box) return;
  if (box.dataset.do === 'all') trigger('all', { on: box.checked });
  if (box.dataset.do === 'choose') trigger('choose', { id: box.dataset.id, on: box.checked });
});

element.addEventListener('submit', (event) => {
  const form = event.target.closest('form.unlock');
  if (!form) return;
  event.preventDefault();
  const field = form.querySelector('input');
  if (field.value) trigger('unlock', { key: form.dataset.key, password: field.value });
  field.value = '';
});

const filter = () => {
  const field = element.querySelector('.filter');
  if (!field) return;
  const words = field.value.toLowerCase().split(/\s+/).filter(Boolean);
  let shown = 0;
  element.querySelectorAll('li.document').forEach((row) => {
    row.hidden = !words.every((word) => row.dataset.search.includes(word));
    if (!row.hidden) shown += 1;
  });
  element.querySelector('.nothing').hidden = shown > 0;
};
element.addEventListener('input', (event) => { if (event.target.closest('.filter')) filter(); });

const settle = () => {
  element.querySelectorAll('input[type=checkbox]').forEach((box) => {
    box.checked = box.hasAttribute('checked');
    box.indeterminate = box.dataset.some === '1';
  });
  filter();
};
watch('value', settle);
settle();
