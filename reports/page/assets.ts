/** What the report page carries with it: its style, and the script of its filter. */

export const style = `
:root{color-scheme:light;font:16px/1.5 system-ui,sans-serif;color:#1d2329;background:#f5f6f8}
body{margin:0 auto;max-width:1100px;padding:1rem}
h1{font-size:1.5rem;margin:.5rem 0}h2{font-size:1.2rem;margin:0 0 .5rem}h3{font-size:1rem;margin:1rem 0 .25rem}
main>section{background:#fff;border:1px solid #dde1e6;border-radius:6px;margin:1rem 0;padding:1rem}
.badge{border-radius:4px;color:#fff;display:inline-block;font-size:.8rem;font-weight:600;padding:.05rem .5rem;background:#565f69}
.pass{background:#2a7049}.fail{background:#b3243a}.broken,.inconclusive{background:#7a4f00}.warn,.known{background:#8a4b00}.observed{background:#34608f}.flaky{background:#5b3a8c}
code,pre{font-family:ui-monospace,monospace;font-size:.85em;overflow-wrap:anywhere}
pre{background:#f5f6f8;overflow-x:auto;padding:.5rem;white-space:pre-wrap}
div.values{display:grid;grid-template-columns:1fr 1fr;gap:1rem}div.values>div{min-width:0}h4{font-size:.85rem;font-weight:600;margin:.25rem 0;color:#4b545e}div.values pre{margin:0}
del{background:#f8dde1;color:#8c1527}ins{background:#dcf1e3;color:#1c5636}del,ins{text-decoration:none;border-bottom:2px solid}
details.rule,details.cause{border-top:1px solid #e6e9ed;padding:.35rem 0}summary{cursor:pointer}
summary:focus-visible,input:focus-visible,select:focus-visible,a:focus-visible,pre:focus-visible{outline:3px solid #1f5fbf;outline-offset:2px}
a{color:#1a4f9c}
dl{display:grid;grid-template-columns:max-content 1fr;gap:.1rem 1rem;margin:.5rem 0}dt{color:#4b545e}dd{margin:0;overflow-wrap:anywhere;white-space:pre-wrap}
ul.checks{list-style:none;padding-left:1rem}ul.checks>li{margin:.3rem 0}
ul.totals{display:flex;flex-wrap:wrap;gap:.5rem 1.25rem;list-style:none;padding:0}
.wide{overflow-x:auto}table{border-collapse:collapse;font-size:.9rem;width:100%}th,td{border-bottom:1px solid #e6e9ed;padding:.4rem .8rem .4rem 0;text-align:left;vertical-align:top}tbody th{font-weight:400}td{overflow-wrap:anywhere}ul.links{columns:20rem;margin:.3rem 0}
form{display:flex;flex-wrap:wrap;align-items:center;gap:1rem;margin:.5rem 0}input,select{font:inherit;padding:.2rem .4rem}
figure{margin:1rem 0}figure svg{display:block;min-width:640px}figcaption{color:#4b545e;font-size:.9rem}
@media(max-width:600px){
table[role],table[role] tbody,table[role] tr,table[role] th,table[role] td{display:block}table[role] thead{position:absolute;clip-path:inset(50%);height:1px;overflow:hidden}
table[role] tr{border-bottom:1px solid #e6e9ed;padding:.5rem 0}table[role] th,table[role] td{border:0;padding:.1rem 0}table[role] td:empty{display:none}table[role] tbody th{font-weight:600}
table[role] td[data-label]::before{color:#4b545e;content:attr(data-label) ': '}
div.values{grid-template-columns:1fr}dl{grid-template-columns:1fr}dt{margin-top:.4rem}}
@media print{body{max-width:none}form{display:none}main>section{border:0}.badge{border:1px solid #1d2329;color:#1d2329;background:none}}
`

export const script = `
const search=document.getElementById('search'),show=document.getElementById('show');
const rules=[...document.querySelectorAll('details.rule')];
function filter(){
  const words=search.value.toLowerCase().split(/\\s+/).filter(Boolean);
  for(const rule of rules)rule.hidden=!(words.every(word=>rule.dataset.text.includes(word))&&(show.value===''||rule.dataset.verdict===show.value));
  for(const area of document.querySelectorAll('section.area'))area.hidden=!area.querySelector('details.rule:not([hidden])');
}
search.addEventListener('input',filter);show.addEventListener('change',filter);
document.getElementById('filter').addEventListener('submit',event=>event.preventDefault());
function open(){const rule=document.getElementById(location.hash.slice(1));if(rule){rule.open=true;rule.scrollIntoView()}}
addEventListener('hashchange',open);open();
addEventListener('beforeprint',()=>{for(const rule of rules)if(rule.dataset.verdict==='fail')rule.open=true});
`
