// Package script exports a trained model as a program that predicts without iFM Lab: a
// Python script ([Python]) or a SQL query ([SQL]).
package script
