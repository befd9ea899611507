// Generated from search.grammar by scripts/build-search-parser.ts: do not edit.
import {LRParser} from "@lezer/lr"
import {tokens} from "./search-tokens.ts"
export const parser = LRParser.deserialize({
  version: 14,
  states: "%pOVQROOOVQRO'#CpOkOPO'#CqOOQP'#DP'#DPOyQRO'#CoOOQP'#DO'#DOOOQP'#C}'#C}O!mQRO'#C|OOQP'#C|'#C|O!}QRO'#C{OOQP'#C{'#C{QOQQOOO#]QRO,59[O#eQRO'#CrOOQP,59],59]O#mOPO,59]OOQP,59Z,59ZOVQRO'#CvOOQP'#Cv'#CvO#xQRO,59_OVQRO'#CwO$YQRO,59`OOQP1G.v1G.vOOQP'#DQ'#DQO$hQRO,59^OOQP1G.w1G.wOOQP,59b,59bOOQP-E6t-E6tOOQP,59c,59cOOQP-E6u-E6uO#eQRO'#CuO$sQRO1G.xOOQP1G.x1G.xOOQP,59a,59aOOQP-E6s-E6sOOQP7+$d7+$d",
  stateData: "%O~OnOS~OPQOXPO[SO_RO`ROaUO~OQ_OR^OT^OU]O~OPQOXPO_RO`RO~OPQOXPO[SO^aO_RO`RO~O]pXlpXYpXZpX~P!XO]dOloXYoXZoX~OYfOZfO~OSgOTgO~ORiOTiOU]O~O]galgaYgaZga~P!XO]dOlhaYhaZha~OVpOWnOZpO~OVsOWnOZsO~O",
  goto: "#|uPPPPPPPPPPPPPPPPPPPv!O!O!X!_!d!h!n!tPPP!z#Q#X#a#k#v]TOPVacd_ROPSVacdQ^QRi_VWOPdTYOPQohRroQcVRkcQeXRmeQZOR[PSXOPRldUVOPdRjaWUOPadTbVc[TOPVacdR`SQh]Rqn",
  nodeNames: "⚠ Key Compare Value Item NoValue ListOpen ListClose Comma ParenOpen ParenClose NoClose Bang OrOp AndOp Quoted Word NoOperand Query Not Group Filter List And Or",
  maxTerm: 36,
  skippedNodes: [0],
  repeatNodeCount: 3,
  tokenData: "!f~RYX^qpqq#y#zq$f$gq#BY#BZq$IS$I_q$I|$JOq$JT$JUq$KV$KWq&FU&FVq~vYn~X^qpqq#y#zq$f$gq#BY#BZq$IS$I_q$I|$JOq$JT$JUq$KV$KWq&FU&FVq",
  tokenizers: [tokens, 0],
  topRules: {"Query":[0,18]},
  tokenPrec: 0
})
