/*
 * Times the C functions of TA-Lib and Tulip Indicators directly, without a binding.
 *
 * Built once for each library with the interface of TA-Lib, whose name is TALIB.
 *
 * `rivals-c CANDLES`: a file with a count, then open, high, low, close and volume as f64 columns. Each line of the standard input
 * is answered by one line:
 *
 *   list                                       all functions, as `library name options`, separated by commas
 *   time BATCHES library name option ...       nanoseconds per candle, or none
 *   values FILE library name option ...        number of outputs written to the file, or none
 *
 * A batch repeats a call for about a millisecond, which mostly passes without another process getting its turn; the
 * fastest counts, because other work can only slow a batch.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include "indicators.h"

/* The used part of the interface of TA-Lib 0.8.1; its package for Python carries the library without its headers. */
typedef struct TA_FuncHandle TA_FuncHandle;
typedef struct TA_ParamHolder TA_ParamHolder;
typedef struct {
  const char *name, *group, *hint;
  int flags;
  unsigned nbInput, nbOptInput, nbOutput;
} TA_FuncInfo;
typedef struct {
  int type;
  const char *name;
} TA_ParameterInfo;
enum { TA_SUCCESS = 0, TA_Input_Price = 0, TA_OptInput_RealRange = 0, TA_OptInput_RealList = 1, TA_Output_Real = 0 };
int TA_Initialize(void);
int TA_ForEachFunc(void (*function)(const TA_FuncInfo *, void *), void *data);
int TA_GetFuncHandle(const char *name, const TA_FuncHandle **handle);
int TA_GetFuncInfo(const TA_FuncHandle *handle, const TA_FuncInfo **info);
int TA_GetInputParameterInfo(const TA_FuncHandle *handle, unsigned index, const TA_ParameterInfo **info);
int TA_GetOptInputParameterInfo(const TA_FuncHandle *handle, unsigned index, const TA_ParameterInfo **info);
int TA_GetOutputParameterInfo(const TA_FuncHandle *handle, unsigned index, const TA_ParameterInfo **info);
int TA_ParamHolderAlloc(const TA_FuncHandle *handle, TA_ParamHolder **params);
int TA_ParamHolderFree(TA_ParamHolder *params);
int TA_SetInputParamRealPtr(TA_ParamHolder *params, unsigned index, const double *values);
int TA_SetInputParamPricePtr(TA_ParamHolder *params, unsigned index, const double *open, const double *high, const double *low,
                             const double *close, const double *volume, const double *interest);
int TA_SetOptInputParamInteger(TA_ParamHolder *params, unsigned index, int value);
int TA_SetOptInputParamReal(TA_ParamHolder *params, unsigned index, double value);
int TA_SetOutputParamIntegerPtr(TA_ParamHolder *params, unsigned index, int *values);
int TA_SetOutputParamRealPtr(TA_ParamHolder *params, unsigned index, double *values);
int TA_CallFunc(const TA_ParamHolder *params, int begin, int end, int *first, int *length);

enum { MOST_OPTIONS = 16, MOST_OUTPUTS = 8 };

static int count;
static double *candles[5]; /* open high low close volume */
static double *columns[MOST_OUTPUTS];

static double seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec + now.tv_nsec * 1e-9;
}

typedef struct {
  TA_ParamHolder *talib;
  const ti_indicator_info *tulip;
  const double *inputs[8];
  double *outputs[MOST_OUTPUTS];
  double options[MOST_OPTIONS];
  int first, length, columns, is_whole[MOST_OUTPUTS];
} Call;

static int once(Call *call) {
  if (call->talib) {
    return TA_CallFunc(call->talib, 0, count - 1, &call->first, &call->length) == TA_SUCCESS;
  }
  return call->tulip->indicator(count, call->inputs, call->options, call->outputs) == TI_OKAY;
}

static double nanoseconds(Call *call, int batches) {
  int repetitions = 1;
  double best = 1e300;
  if (!once(call)) return -1;
  while (batches > 1) {
    double begin = seconds();
    for (int i = 0; i < repetitions; i++) once(call);
    double elapsed = seconds() - begin;
    if (elapsed > 0.001) break;
    repetitions *= 2;
  }
  for (int batch = 0; batch < batches; batch++) {
    double begin = seconds();
    for (int i = 0; i < repetitions; i++) once(call);
    double each = (seconds() - begin) / repetitions;
    if (each < best) best = each;
  }
  return best * 1e9 / count;
}

static double *column(void) { return calloc(count, sizeof(double)); }

static int prepare_talib(Call *call, const char *name, int given, const double *options) {
  const TA_FuncHandle *handle;
  const TA_FuncInfo *info;
  if (TA_GetFuncHandle(name, &handle) != TA_SUCCESS || TA_GetFuncInfo(handle, &info) != TA_SUCCESS) return 0;
  if (TA_ParamHolderAlloc(handle, &call->talib) != TA_SUCCESS) return 0;
  for (unsigned k = 0, reals = 0; k < info->nbInput; k++) {
    const TA_ParameterInfo *input;
    TA_GetInputParameterInfo(handle, k, &input);
    if (input->type == TA_Input_Price)
      TA_SetInputParamPricePtr(call->talib, k, candles[0], candles[1], candles[2], candles[3], candles[4], candles[4]);
    else {
      /* One real input is the close; of two, the first is the high and the second the low. */
      const double *real = info->nbInput == 1 || strcmp(name, "OBV") == 0 ? candles[3] : candles[reals == 0 ? 1 : 2];
      TA_SetInputParamRealPtr(call->talib, k, real);
      reals++;
    }
  }
  for (unsigned k = 0; k < info->nbOptInput && (int)k < given; k++) {
    const TA_ParameterInfo *option;
    TA_GetOptInputParameterInfo(handle, k, &option);
    if (option->type == TA_OptInput_RealRange || option->type == TA_OptInput_RealList)
      TA_SetOptInputParamReal(call->talib, k, options[k]);
    else
      TA_SetOptInputParamInteger(call->talib, k, (int)options[k]);
  }
  for (unsigned k = 0; k < info->nbOutput; k++) {
    const TA_ParameterInfo *output;
    TA_GetOutputParameterInfo(handle, k, &output);
    if (output->type == TA_Output_Real)
      TA_SetOutputParamRealPtr(call->talib, k, columns[k]);
    else {
      call->is_whole[k] = 1;
      TA_SetOutputParamIntegerPtr(call->talib, k, (int *)columns[k]);
    }
  }
  call->columns = info->nbOutput;
  return 1;
}

static int prepare_tulip(Call *call, const char *name, int given, const double *options) {
  static const char *names[5] = { "open", "high", "low", "close", "volume" };
  const ti_indicator_info *info = ti_find_indicator(name);
  if (!info || given < info->options) return 0;
  call->tulip = info;
  for (int k = 0; k < info->inputs; k++) {
    call->inputs[k] = info->inputs == 1 ? candles[3] : candles[k == 0 ? 1 : 2];
    for (int c = 0; c < 5; c++)
      if (strcmp(info->input_names[k], names[c]) == 0) call->inputs[k] = candles[c];
  }
  for (int k = 0; k < info->outputs; k++) call->outputs[k] = columns[k];
  memcpy(call->options, options, sizeof(double) * MOST_OPTIONS);
  call->columns = info->outputs;
  call->first = info->start(options);
  call->length = count - call->first;
  return 1;
}

static void list_talib(const TA_FuncInfo *info, void *unused) {
  (void)unused;
  printf(TALIB " %s %u,", info->name, info->nbOptInput);
}

/* Writes a column for each output; candles without a value have NaN. */
static void write_values(const Call *call, const char *path) {
  FILE *file = fopen(path, "wb");
  for (int k = 0; file && k < call->columns; k++) {
    for (int i = 0; i < count; i++) {
      int at = i - call->first;
      double value = NAN;
      if (at >= 0 && at < call->length) value = call->is_whole[k] ? ((int *)columns[k])[at] : columns[k][at];
      fwrite(&value, sizeof value, 1, file);
    }
  }
  if (file) fclose(file);
}

static void answer(char *line) {
  double options[MOST_OPTIONS] = { 0 };
  int given = 0;
  char *command = strtok(line, " \n"), *argument = strtok(NULL, " \n");
  char *library = strtok(NULL, " \n"), *name = strtok(NULL, " \n");
  if (command && strcmp(command, "list") == 0) {
    TA_ForEachFunc(list_talib, NULL);
    for (const ti_indicator_info *info = ti_indicators; info->name; info++) printf("tulip %s %d,", info->name, info->options);
    printf("\n");
    return;
  }
  for (char *text; (text = strtok(NULL, " \n")) && given < MOST_OPTIONS;) options[given++] = atof(text);
  Call call = { 0 };
  int ready = name && (strcmp(library, TALIB) == 0 ? prepare_talib(&call, name, given, options)
                                                       : prepare_tulip(&call, name, given, options));
  if (!ready || !once(&call))
    printf("none\n");
  else if (strcmp(command, "time") == 0)
    printf("%.4f\n", nanoseconds(&call, atoi(argument)));
  else {
    write_values(&call, argument);
    printf("%d\n", call.columns);
  }
  if (call.talib) TA_ParamHolderFree(call.talib);
}

int main(int argc, char **argv) {
  TA_Initialize();
  FILE *file = argc == 2 ? fopen(argv[1], "rb") : NULL;
  double length;
  if (!file || fread(&length, sizeof length, 1, file) != 1) return 1;
  count = (int)length;
  for (int k = 0; k < MOST_OUTPUTS; k++) columns[k] = column();
  for (int c = 0; c < 5; c++) {
    candles[c] = column();
    if (fread(candles[c], sizeof(double), count, file) != (size_t)count) return 1;
  }
  fclose(file);
  char line[512];
  while (fgets(line, sizeof line, stdin)) {
    answer(line);
    fflush(stdout);
  }
  return 0;
}
